// The keys of a scenario, from its JSON Schema: what each means and what it may be.

export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export interface KeyRow {
  readonly key: string;
  readonly meaning: string;
  /** What it is now; null: it is not set, and has no value of its own. */
  readonly now: string | null;
  /** What it may be, where that can be listed. */
  readonly choices: readonly string[];
  readonly example: string;
}

/** Tables in tables in tables. */
const DEEPEST = 5;
/** Lists of tables, and what says how to run and not what. */
const LEFT_AWAY = new Set(["sweep", "figures", "files", "flows", "variables"]);

/** All keys that this scenario may have, with what they are now; keys of other kinds of a table are left away. */
export function keysOf(schema: Schema, now: ReadonlyMap<string, string>): KeyRow[] {
  const found = new Map<string, KeyRow>();
  walk(schema, "", 0);
  // What the server tells and the walk did not come by: keys of lists, like flows[0].tcp.flavor.
  for (const [key, text] of now) {
    if (!found.has(key)) found.set(key, { ...describe(find(schema, schema, partsOf(key))), key, now: text });
  }
  return [...found.values()];

  function walk(table: Schema, prefix: string, depth: number): void {
    for (const each of variantsOf(schema, table, now.get(`${prefix}kind`))) {
      for (const [name, its] of Object.entries(each.properties ?? {})) {
        const key = prefix + name;
        if (depth === 0 && LEFT_AWAY.has(name)) continue;
        const tables = variantsOf(schema, its, undefined).filter((one) => one.properties);
        if (tables.length && depth < DEEPEST) walk(its, `${key}.`, depth + 1);
        if (tables.length === 0 || now.has(key)) {
          if (!found.has(key)) found.set(key, { ...describe(its), key, now: now.get(key) ?? null });
        }
      }
    }
  }
}

/** The forms that a value may have; of tables with a kind, those of this kind. */
function variantsOf(root: Schema, schema: Schema, kind: string | undefined): Schema[] {
  if (schema.$ref) return variantsOf(root, root.$defs?.[schema.$ref.split("/").at(-1) ?? ""] ?? {}, kind);
  const forms = schema.anyOf ?? schema.oneOf;
  const all = forms ? forms.flatMap((each) => variantsOf(root, each, kind)) : [schema];
  if (kind === undefined || all.length < 2) return all;
  const fitting = all.filter((each) => wordsOf(each.properties?.kind).includes(kind));
  return fitting.length ? fitting : all;
}

function wordsOf(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const own = (schema.enum ?? []).map(String);
  return [...own, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(wordsOf)];
}

function describe(schema: Schema | null): Omit<KeyRow, "key" | "now"> {
  if (!schema) return { meaning: "", choices: [], example: "" };
  const choices = wordsOf(schema);
  const isSwitch = [schema, ...(schema.anyOf ?? [])].some((each) => each.type === "boolean");
  const example = [schema, ...(schema.anyOf ?? [])].flatMap((each) => each.examples ?? [])[0];
  return {
    meaning: schema.description ?? "",
    choices: isSwitch ? [...new Set(["true", "false", ...choices])] : choices,
    example: example === undefined ? "" : String(example),
  };
}

function partsOf(key: string): string[] {
  return key.split(/[.[\]]+/).filter(Boolean);
}

/** The schema of a key; null if there is none. */
function find(root: Schema, schema: Schema, parts: readonly string[]): Schema | null {
  const [first, ...rest] = parts;
  if (first === undefined) return schema;
  for (const each of variantsOf(root, schema, undefined)) {
    const next = each.properties?.[first] ?? (/^\d+$/.test(first) ? each.items : undefined);
    const found = next ? find(root, next, rest) : null;
    if (found) return found;
  }
  return null;
}
