// Builds the bundles into python/ackclock/lab/static, which is committed: users need no node. An argument names another
// folder. `lab` is the page of the lab, `report` the script of an interactive report, `widget` the module of a notebook.
//
// The first line of the bundle has a hash of the sources, so that a test without node sees that they belong together.
// The same sources give the same bytes on every machine: the versions are pinned by package-lock.json.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync, mkdirSync, copyFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = dirname(fileURLToPath(import.meta.url));
const STATIC = resolve(process.argv[2] ?? join(PAGE, "../python/ackclock/lab/static"));
const SHIPPED = ["preact", "@preact/signals", "@preact/signals-core", "uplot"];

/** The files that decide about the bundle, in the order of their names. */
function sources() {
  const found = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"];
  for (const entry of readdirSync(join(PAGE, "src"), { recursive: true, withFileTypes: true })) {
    const name = relative(PAGE, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    if (entry.isFile() && !name.includes(".test.")) found.push(name);
  }
  return found.sort();
}

/** SHA-256 over the names and the contents of the sources. */
function digest() {
  const hash = createHash("sha256");
  for (const name of sources()) {
    hash.update(`${name}\n`).update(readFileSync(join(PAGE, name))).update("\n");
  }
  return hash.digest("hex");
}

/** The licences of what the bundle contains. */
function licences() {
  const parts = SHIPPED.map((name) => {
    const folder = join(PAGE, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
  });
  return `The lab's page contains these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** Styles of the lab inside another page reach only what is in `.ackclock`; colours and what is made for that page are its own. */
const OWN = ["theme.css", "report.css", "widget.css"];
const nested = {
  name: "nested",
  setup: (its) =>
    its.onLoad({ filter: /\.css$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      return { loader: "css", contents: OWN.includes(basename(path)) ? text : `.ackclock {\n${text}\n}` };
    }),
};

const banner = `ackclock lab; sources ${digest()}`;
mkdirSync(STATIC, { recursive: true });
const common = {
  absWorkingDir: PAGE,
  outdir: STATIC,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  banner: { js: `/* ${banner} */`, css: `/* ${banner} */` },
};
// Nested styles are written out: browsers learned them later than the rest.
const inside = { ...common, target: ["es2022", "chrome111", "firefox113", "safari16.4"], plugins: [nested] };
await build({ ...common, entryPoints: { lab: "src/main.tsx" } });
// Reports and notebooks are handed on without the file beside the bundle, so these two have the licences inside.
const notice = `/*\n${licences().replaceAll("*/", "* /")}*/`;
await build({ ...inside, entryPoints: { report: "src/report/main.tsx" }, footer: { js: notice } });
// A notebook may show several widgets with one module: the whole bundle is run for each view, so that each has signals of
// its own.
await build({
  ...inside,
  entryPoints: { widget: "src/widget/main.tsx" },
  globalName: "ackclock",
  banner: { ...common.banner, js: `/* ${banner} */\nexport default { render(view) {` },
  footer: { js: `return ackclock.render(view); } };\n${notice}` },
});
copyFileSync(join(PAGE, "src/index.html"), join(STATIC, "index.html"));
writeFileSync(join(STATIC, "THIRD-PARTY.txt"), licences());
