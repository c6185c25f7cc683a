import type { z } from 'zod';

type Container = Record<PropertyKey, unknown>;
type Issue = z.core.$ZodIssue;

/** Each pass repairs one level of nesting, such as JSON text within JSON text. */
const MAX_PASSES = 6;

export interface Tolerance {
  /** Query strings and MCP arguments: numbers, booleans, objects and arrays may be written as text. */
  text?: boolean;
}

/**
 * Parses as the schema does. When it refuses a member that is null or an empty array, the member counts as left out; with
 * `text`, so does an empty text, and a text becomes the number, boolean, array or object that the schema wants. What the
 * schema accepts is never changed.
 */
export function tolerantParse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  tolerance: Tolerance = {},
): z.ZodSafeParseResult<z.output<Schema>> {
  let result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result;
  const repair = new Repair(input, tolerance);
  for (let pass = 0; pass < MAX_PASSES && !result.success && repair.apply(result.error.issues); pass++) {
    result = schema.safeParse(repair.input, { reportInput: true });
  }
  return result;
}

class Repair {
  input: unknown;
  private readonly tolerance: Tolerance;
  /** Copies, made where something changes: the caller's input stays as it is, and may be nested too deeply to be cloned. */
  private readonly own = new WeakSet<Container>();
  /** Empty arrays that were left out, by path. */
  private readonly leftOut = new Set<string>();

  constructor(input: unknown, tolerance: Tolerance) {
    this.input = input;
    this.tolerance = tolerance;
  }

  /** Whether anything changed. */
  apply(issues: readonly Issue[]): boolean {
    const changed = new Set<string>();
    for (const { issue, path } of issues.flatMap((one) => within(one, []))) {
      const at = JSON.stringify(path);
      if (!changed.has(at) && this.repair(issue, path, at)) changed.add(at);
    }
    return changed.size > 0;
  }

  private repair(issue: Issue, path: PropertyKey[], at: string): boolean {
    const key = path.at(-1);
    const container = path.slice(0, -1).reduce<unknown>(memberOf, this.input);
    if (key === undefined || !isContainer(container)) return false;
    const value = memberOf(container, key);
    if (value === undefined) return this.restore(path, at);
    if (!Array.isArray(container) && this.isAbsent(value)) return this.leaveOut(path, at, value);
    if (!this.tolerance.text || typeof value !== 'string') return false;
    const read = readText(value, issue);
    if (read !== undefined) this.ownContainerOf(path)[key] = read;
    return read !== undefined;
  }

  private isAbsent(value: unknown): boolean {
    return value === null || isEmptyArray(value) || (this.tolerance.text === true && value === '');
  }

  private leaveOut(path: PropertyKey[], at: string, value: unknown): boolean {
    if (this.leftOut.has(at)) return false;
    if (isEmptyArray(value)) this.leftOut.add(at);
    delete this.ownContainerOf(path)[path.at(-1)!];
    return true;
  }

  /** A required array says better what it lacks than "is required". */
  private restore(path: PropertyKey[], at: string): boolean {
    if (!this.leftOut.has(at)) return false;
    this.ownContainerOf(path)[path.at(-1)!] = [];
    return true;
  }

  /** What holds the last member of the path, copied with all that holds it. */
  private ownContainerOf(path: PropertyKey[]): Container {
    let container = this.ownCopy(this.input);
    this.input = container;
    for (const key of path.slice(0, -1)) {
      const inner = this.ownCopy(container[key]);
      container[key] = inner;
      container = inner;
    }
    return container;
  }

  private ownCopy(value: unknown): Container {
    const original = value as Container;
    if (this.own.has(original)) return original;
    const copy = (Array.isArray(original) ? [...(original as unknown[])] : { ...original }) as Container;
    this.own.add(copy);
    return copy;
  }
}

interface Located {
  issue: Issue;
  path: PropertyKey[];
}

/** With the issues of each branch of a union, whose paths begin at the union. */
function within(issue: Issue, prefix: PropertyKey[]): Located[] {
  const path = [...prefix, ...issue.path];
  const branches = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  return [{ issue, path }, ...branches.flatMap((nested) => within(nested, path))];
}

function readText(text: string, issue: Issue): unknown {
  if (issue.code !== 'invalid_type') return undefined;
  const trimmed = text.trim();
  switch (issue.expected) {
    case 'number':
    case 'int':
      return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
    case 'boolean':
      return { true: true, false: false }[trimmed.toLowerCase()];
    case 'array':
    case 'object':
    case 'record':
      return readJson(trimmed, issue.expected === 'array');
    default:
      return undefined;
  }
}

function readJson(text: string, isArray: boolean): unknown {
  if (!text.startsWith(isArray ? '[' : '{')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
