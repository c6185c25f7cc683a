import type { z } from 'zod';
import { isOptional, membersAt, objectsIn, schemasAt } from './schema-walk.ts';

type Container = Record<PropertyKey, unknown>;
type Issue = z.core.$ZodIssue;

/** Each pass repairs one level of nesting, such as JSON text within JSON text. */
const MAX_PASSES = 6;

export interface Tolerance {
  /**
   * Query strings and MCP arguments: numbers, booleans, objects and arrays may be written as text.
   */
  text?: boolean;
  /** Files of the operator and erasures: nothing is repaired. */
  strict?: boolean;
}

/**
 * Parses as the schema does. When it refuses an optional member that is null or an empty array, the
 * member counts as left out; with `text`, so does an empty text, and a text becomes the number,
 * boolean, array or object that the schema wants. What the schema accepts is never changed, and
 * entries of records, items of arrays and free JSON are never left out: there they may be
 * conditions or data.
 */
export function tolerantParse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  tolerance: Tolerance = {},
): z.ZodSafeParseResult<z.output<Schema>> {
  let result = schema.safeParse(input, { reportInput: true });
  if (result.success || tolerance.strict) return result;
  const repair = new Repair(schema, input, tolerance);
  for (let pass = 0; pass < MAX_PASSES && !result.success && repair.apply(result.error.issues); pass++) {
    result = schema.safeParse(repair.input, { reportInput: true });
  }
  return result;
}

class Repair {
  input: unknown;
  private readonly schema: z.ZodType;
  private readonly tolerance: Tolerance;
  /**
   * Copies, made where something changes: the caller's input stays as it is, and may be nested too
   * deeply to be cloned.
   */
  private readonly own = new WeakSet<Container>();

  constructor(schema: z.ZodType, input: unknown, tolerance: Tolerance) {
    this.schema = schema;
    this.input = input;
    this.tolerance = tolerance;
  }

  /** Whether anything changed. */
  apply(issues: readonly Issue[]): boolean {
    const changed = new Set<string>();
    for (const { issue, path } of issues.flatMap((one) => locatedIssues(one, []))) {
      const at = JSON.stringify(path);
      if (!changed.has(at) && this.repair(issue, path)) changed.add(at);
    }
    return changed.size > 0;
  }

  private repair(issue: Issue, path: PropertyKey[]): boolean {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => this.leaveOutOfVariant(path, key)).includes(true);
    }
    const key = path.at(-1);
    const value = path.reduce<unknown>(memberOf, this.input);
    if (key === undefined || value === undefined) return false;
    if (this.isAbsent(value) && membersAt(this.schema, path).some(isOptional)) {
      delete this.ownContainerOf(path)[key];
      return true;
    }
    const read = this.tolerance.text && typeof value === 'string' ? readText(value, issue) : undefined;
    if (read !== undefined) this.ownContainerOf(path)[key] = read;
    return read !== undefined;
  }

  private isAbsent(value: unknown): boolean {
    return value === null || isEmptyArray(value) || (this.tolerance.text === true && value === '');
  }

  /** A client with one class for all variants sends null for the members of the others. */
  private leaveOutOfVariant(path: PropertyKey[], key: string): boolean {
    const at = [...path, key];
    if (at.reduce<unknown>(memberOf, this.input) !== null) return false;
    const variants = schemasAt(this.schema, path).flatMap(objectsIn);
    if (!variants.some(({ shape }) => Object.hasOwn(shape, key))) return false;
    delete this.ownContainerOf(at)[key];
    return true;
  }

  /** The container of the path's last member, copied with every container around it. */
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
function locatedIssues(issue: Issue, prefix: PropertyKey[]): Located[] {
  const path = [...prefix, ...issue.path];
  const branches = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  return [{ issue, path }, ...branches.flatMap((nested) => locatedIssues(nested, path))];
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
