import { z } from 'zod';
import { freeObject } from '../../base/shared/json.ts';

export type Secret = string | { env: string };

const MAX_SECRET = 10_000;
const MAX_HEADERS = 50;
export const ENVIRONMENT_VARIABLE = /^[A-Za-z_]\w{0,199}$/;
export const NO_VARIABLE = 'must be the name of an environment variable: letters, digits and _';
const REFERENCE = /^(Bearer )?\$(\{\w+\}|[A-Z_][A-Z0-9_]*)$/;
/** Excludes `__proto__`. */
export const HEADER_NAME = /^[A-Za-z0-9][\w.-]{0,199}$/;
/** A second one of these would allow request smuggling. */
const REFUSED_HEADERS = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection'],
  ...['keep-alive', 'upgrade', 'expect', 'te', 'trailer', 'proxy-connection'],
]);

export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

export const SECRET_JSON_SCHEMA = {
  anyOf: [
    { type: 'string', minLength: 1, maxLength: MAX_SECRET },
    {
      type: 'object',
      properties: { env: { type: 'string', description: 'The variable.' } },
      required: ['env'],
      additionalProperties: false,
    },
  ],
};

/** Messages never repeat the value: it may be a secret in the wrong place. */
export const secretSchema = z
  .custom<Secret>()
  .superRefine((value: unknown, context) => {
    const problem = problemOf(value);
    if (problem !== null) context.addIssue({ code: 'custom', ...problem });
  })
  .meta(SECRET_JSON_SCHEMA);

function problemOf(value: unknown): { message: string; path?: string[] } | null {
  if (typeof value === 'string') {
    if (value === '') return { message: 'must not be empty' };
    if (value.length > MAX_SECRET) return { message: `must have at most ${MAX_SECRET} characters` };
    if (isReference(value)) return { message: 'is not looked up; a variable is written {"env": "NAME"}' };
    if (isHeaderValue(value)) return null;
    return { message: 'must be printable ASCII on one line, without blanks at its ends' };
  }
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [name, variable] = members[0] ?? [];
  if (members.length !== 1 || name !== 'env') return { message: 'must be a string, or {"env": "NAME"}' };
  if (typeof variable === 'string' && ENVIRONMENT_VARIABLE.test(variable)) return null;
  return { path: ['env'], message: NO_VARIABLE };
}

export const headerNamesSchema = freeObject().superRefine((headers, context) => {
  const names = Object.keys(headers);
  const report = (message: string, path: string[] = []) =>
    context.addIssue({ code: 'custom', message, path, continue: false });
  if (names.length > MAX_HEADERS) report(`must hold at most ${MAX_HEADERS}`);
  if (!names.every((name) => HEADER_NAME.test(name))) {
    return report('has a name that is none of a header: letters, digits, -, _ and .');
  }
  const lower = names.map((name) => name.toLowerCase());
  for (const [index, name] of names.entries()) {
    if (REFUSED_HEADERS.has(lower[index]!)) report("is the connection's own and cannot be set", [name]);
    if (lower.indexOf(lower[index]!) < index) report('is given twice; case does not matter in headers', [name]);
  }
});
