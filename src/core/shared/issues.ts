import { z } from 'zod';
import { suggestion } from './names.ts';

const MAX_UNKNOWN = 101;
const MAX_NAME = 100;

/** Keys are unknown members that clients often send. */
export const memberHints = z.registry<Record<string, string>>();

/** Of a failed parse, each beginning with the field's path. */
export function issueMessages(
  error: z.core.$ZodError,
  { schema, prefix = [] }: { schema?: z.ZodType; prefix?: PropertyKey[] } = {},
): string[] {
  const mistyped = new Set(error.issues.filter(isMistyped).map(({ path }) => JSON.stringify(path)));
  return error.issues
    .filter((issue) => isMistyped(issue) || !mistyped.has(JSON.stringify(issue.path)))
    .flatMap((issue) => describe(issue, prefix, schema));
}

/** A value of the wrong type is too long or too short only by chance. */
function isMistyped({ code }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type';
}

function describe(issue: z.core.$ZodIssue, prefix: PropertyKey[], schema: z.ZodType | undefined): string[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const object = schemaAt(schema, issue.path);
    return issue.keys
      .slice(0, MAX_UNKNOWN)
      .map((key) => `${formatPath([...path, key])}: unknown member${knownMember(key, object)}`);
  }
  if (issue.code === 'invalid_union' && 'options' in issue) {
    return [`${formatPath(path)}: must be one of ${(issue.options as unknown[]).join(', ')}`];
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch that matched furthest is most likely the intended one.
    const inner = schemaAt(schema, issue.path);
    const branches = issue.errors.map((issues) => issues.flatMap((nested) => describe(nested, path, inner)));
    const sole = branches.find((_, index) => issue.errors[index]?.some((nested) => nested.path.length > 0));
    if (sole) return sole;
    if (issue.message !== 'Invalid input') return [`${formatPath(path)}: ${issue.message}`];
    return [`${formatPath(path)}: ${branches.flat().map(withoutPath).join(', or ')}`];
  }
  return [`${formatPath(path)}: ${messageOf(issue)}`];
}

function messageOf(issue: z.core.$ZodIssue): string {
  const isMissing = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  if (isMissing && issue.input === undefined && issue.path.length > 0) return 'is required';
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `must be ${article(issue.expected)}`;
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    return `must ${measured(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `must ${measured(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
  }
  return issue.message;
}

function measured(origin: string): string {
  return unitOf(origin) === '' ? 'be' : 'have';
}

function unitOf(origin: string): string {
  return { string: ' characters', array: ' items' }[origin] ?? '';
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function withoutPath(message: string): string {
  return message.replace(/^[^:]*: /, '');
}

export function formatPath(path: PropertyKey[]): string {
  if (path.length === 0) return 'input';
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = shortened(String(part));
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}...` : name;
}

/** The hint of the schema, or the member with the most similar name. */
function knownMember(unknown: string, schema: z.ZodType | undefined): string {
  const [object] = schema ? objectsIn(schema) : [];
  if (!object) return '';
  const hints = memberHints.get(object) ?? {};
  if (Object.hasOwn(hints, unknown)) return `; ${hints[unknown]}`;
  const known = Object.keys(object.shape);
  const alike = known.find((name) => plain(name) === plain(unknown));
  return alike === undefined ? suggestion(unknown, known) : `; did you mean ${alike}?`;
}

/** The schema at a path of the input; undefined where it cannot be told. */
function schemaAt(schema: z.ZodType | undefined, path: PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((current, key) => {
    if (!current) return undefined;
    const inner = innermost(current);
    if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
    return objectsIn(current).flatMap(({ shape }) =>
      Object.hasOwn(shape, key) ? [shape[key as string] as z.ZodType] : [],
    )[0];
  }, schema);
}

function objectsIn(schema: z.ZodType): z.ZodObject[] {
  const inner = innermost(schema);
  if (inner instanceof z.ZodObject) return [inner];
  return inner instanceof z.ZodUnion ? inner.options.flatMap((option) => objectsIn(option as z.ZodType)) : [];
}

function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema;
    return innermost((first instanceof z.ZodTransform ? out : first) as z.ZodType);
  }
  return 'unwrap' in schema && !(schema instanceof z.ZodArray)
    ? innermost((schema as z.ZodOptional).unwrap() as z.ZodType)
    : schema;
}

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
