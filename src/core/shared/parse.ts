import { z } from 'zod';
import { invalid } from './errors.ts';
import { nearestNames } from './names.ts';

/** Limits the response to a batch of 5,000 bad events. */
const MAX_MESSAGES = 100;
const MAX_NAME = 100;

/** Keys are unknown members that clients often send. */
export const memberHints = z.registry<Record<string, string>>();

/** Throws `invalid` with one message per problem, each beginning with the field's path. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const messages = [...new Set(issueMessages(result.error))];
  throw invalid(...capMessages(messages).map((message) => withSuggestion(message, schema)));
}

function withSuggestion(message: string, schema: z.ZodType): string {
  const unknown = /^([^.[\]:]+): unknown member$/.exec(message)?.[1];
  if (unknown === undefined || !(schema instanceof z.ZodObject)) return message;
  const hints = memberHints.get(schema) ?? {};
  if (Object.hasOwn(hints, unknown)) return `${message}; ${hints[unknown]}`;
  const known = Object.keys(schema.shape);
  const alike = known.find((name) => plain(name) === plain(unknown)) ?? nearestNames(unknown, known)[0];
  return alike === undefined ? message : `${message}; did you mean ${alike}?`;
}

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

export function capMessages(messages: string[]): string[] {
  if (messages.length <= MAX_MESSAGES) return messages;
  return [...messages.slice(0, MAX_MESSAGES), `... and ${messages.length - MAX_MESSAGES} more`];
}

export function issueMessages(error: z.core.$ZodError, prefix: PropertyKey[] = []): string[] {
  return error.issues.flatMap((issue) => describe(issue, prefix));
}

function describe(issue: z.core.$ZodIssue, prefix: PropertyKey[]): string[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_MESSAGES + 1).map((key) => `${formatPath([...path, key])}: unknown member`);
  }
  if (issue.code === 'invalid_union' && 'options' in issue) {
    return [`${formatPath(path)}: must be one of ${(issue.options as unknown[]).join(', ')}`];
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch that matched furthest is most likely the intended one.
    const branches = issue.errors.map((issues) => issues.flatMap((nested) => describe(nested, path)));
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
