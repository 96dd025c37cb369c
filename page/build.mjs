// Builds the bundle of the lab into python/ackclock/lab/static, which is committed: users need no node.
//
// The first line of the bundle has a hash of the sources, so that a test without node sees that they belong together.
// The same sources give the same bytes on every machine: the versions are pinned by package-lock.json.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync, mkdirSync, copyFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = dirname(fileURLToPath(import.meta.url));
const STATIC = join(PAGE, "../python/ackclock/lab/static");
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

const banner = `ackclock lab; sources ${digest()}`;
mkdirSync(STATIC, { recursive: true });
await build({
  absWorkingDir: PAGE,
  entryPoints: { lab: "src/main.tsx" },
  outdir: STATIC,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  banner: { js: `/* ${banner} */`, css: `/* ${banner} */` },
});
copyFileSync(join(PAGE, "src/index.html"), join(STATIC, "index.html"));
writeFileSync(join(STATIC, "THIRD-PARTY.txt"), licences());
