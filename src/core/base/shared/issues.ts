import { z } from 'zod';
import { suggestion } from './names.ts';
import { isOptional, membersAt, objectsIn, schemasAt } from './schema-walk.ts';

const MAX_UNKNOWN = 101;
const MAX_NAME = 100;

/** Keys are unknown members that clients often send. */
export const memberHints = z.registry<Record<string, string>>();

/** Messages of a failed parse, each beginning with the field's path. */
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
    const schemas = schema ? schemasAt(schema, issue.path) : [];
    return issue.keys
      .slice(0, MAX_UNKNOWN)
      .map((key) => `${formatPath([...path, key])}: unknown member${knownMember(key, schemas)}`);
  }
  if (issue.code === 'invalid_union' && 'options' in issue) {
    return [`${formatPath(path)}: must be one of ${(issue.options as unknown[]).join(', ')}`];
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [inner] = schema ? schemasAt(schema, issue.path) : [];
    const branches = issue.errors.map((issues) => issues.flatMap((nested) => describe(nested, path, inner)));
    // A branch that complains of a member took the value for its own.
    const intended = branches.find((_, index) => issue.errors[index]?.some((nested) => nested.path.length > 0));
    if (intended) return intended;
    if (issue.message !== 'Invalid input') return [`${formatPath(path)}: ${issue.message}`];
    return [`${formatPath(path)}: ${branches.flat().map(withoutPath).join(', or ')}`];
  }
  return [`${formatPath(path)}: ${isMissing(issue, schema) ? 'is required' : messageOf(issue)}`];
}

/** A required member that is absent or null. */
function isMissing({ code, input, path }: z.core.$ZodIssue, schema: z.ZodType | undefined): boolean {
  if (code !== 'invalid_type' && code !== 'invalid_value') return false;
  if (input === undefined) return path.length > 0;
  const members = input === null && schema !== undefined ? membersAt(schema, path) : [];
  return members.length > 0 && !members.some(isOptional);
}

function messageOf(issue: z.core.$ZodIssue): string {
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

/** The hint of a schema, or the member with the most similar name. */
function knownMember(unknown: string, schemas: z.ZodType[]): string {
  const objects = schemas.flatMap(objectsIn);
  const hint = objects.map((object) => memberHints.get(object)).find((hints) => hints && Object.hasOwn(hints, unknown));
  if (hint) return `; ${hint[unknown]}`;
  const known = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
  // A member of another variant, such as that of another card type.
  if (known.includes(unknown)) return '';
  const alike = known.find((name) => plain(name) === plain(unknown));
  return alike === undefined ? suggestion(unknown, known) : `; did you mean ${alike}?`;
}

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
