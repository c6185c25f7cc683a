type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest> & string>}` : Name;
type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

const members = new Map<string, string>();
const columns = new Map<string, string>();

/** The row with the names of the program: `created_at` is `createdAt`. */
export function fromRow<Row extends object>(row: Row): { [Name in keyof Row as Camel<Name>]: Row[Name] } {
  return renamed(row, members, (name) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

/** The item with the names of columns: `createdAt` is `created_at`. */
export function toRow<Item extends object>(item: Item): { [Name in keyof Item as Snake<Name>]: Item[Name] } {
  return renamed(item, columns, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

export function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

export function parsedOrNull<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

function renamed<Result>(from: object, known: Map<string, string>, rename: (name: string) => string): Result {
  const to: Record<string, unknown> = {};
  for (const name in from) {
    let other = known.get(name);
    if (other === undefined) {
      other = rename(name);
      known.set(name, other);
    }
    to[other] = (from as Record<string, unknown>)[name];
  }
  return to as Result;
}
