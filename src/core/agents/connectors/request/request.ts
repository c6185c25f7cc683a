import { createHash } from 'node:crypto';
import { isObject } from '../../../base/json-schema/values.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { formatPath } from '../../../base/shared/issues.ts';
import type { Auth, EnvironmentName } from '../definition/environment-schema.ts';
import type { HttpMethod, Resource } from '../definition/resource-schema.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';
import { isJsonType, mediaTypeOf } from '../media-type.ts';
import { own } from '../openapi/values.ts';
import { callerHeaders } from './caller-headers.ts';
import { placeData } from './placement.ts';
import {
  encodeUnreserved,
  formText,
  joinedText,
  lengthOfPairs,
  type Pair,
  pairsOf,
  percentEncoded,
  problemOfPathValue,
  scalarText,
  type ValueStyle,
} from './styles.ts';
import { type CompiledTarget, compiledTarget } from './target.ts';
import { type CompiledResource, checkedData, compiledResource, type PlacedData } from './validation.ts';

/** Known servers accept less. */
const MAX_QUERY = 64 * 1024;
const MAX_FORM = 8 * 1024 * 1024;
const TOO_MUCH = `data: is too much for a form, which has at most ${MAX_FORM} characters`;

/** Without authentication and configured headers. */
export interface BuiltRequest {
  method: HttpMethod;
  url: URL;
  /** Names and values alternate. */
  headers: string[];
  body: string | null;
}

export interface RequestParts {
  definition: ConnectorDefinition;
  environment: EnvironmentName;
  resourceSlug: string;
  data?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Throws `invalid` for wrong data and `not_found` for an unknown resource. */
export function buildRequest({
  definition,
  environment,
  resourceSlug,
  data = {},
  headers = {},
}: RequestParts): BuiltRequest {
  const compiled = compiledResource(definition, resourceSlug);
  const target = compiledTarget(definition, environment);
  const placed = checkedData(compiled, placeData(compiled, data, headers));

  const messages: string[] = [];
  const report = (message: string) => messages.push(message);
  const path = pathOf(compiled, placed, report);
  const query = queryOf(compiled, placed, target.auth, report);
  const body = bodyOf(compiled, placed, report);
  const { isStructured } = placed;
  const { headerStyles: styles = {} } = compiled.resource;
  const callerInput = { data: placed.headers, options: headers, isStructured, styles };
  const callerOnes = callerHeaders(callerInput, target.reservedNames, report);
  if (messages.length > 0) throw invalid(...messages);

  const isGiven = (name: string) => target.fixedNames.has(name) || hasName(callerOnes, name);
  return {
    method: compiled.resource.method,
    url: urlOf(target, path, query),
    headers: [
      ...(isGiven('accept') ? [] : ['accept', 'application/json, */*;q=0.8']),
      ...(body === null || isGiven('content-type') ? [] : ['content-type', body.contentType]),
      ...callerOnes,
    ],
    body: body?.text ?? null,
  };
}

type Report = (message: string) => void;

function pathInData({ isStructured }: PlacedData, ...path: string[]): string {
  return formatPath(['data', ...(isStructured ? path : path.slice(1))]);
}

function pathOf({ pathParts, resource }: CompiledResource, placed: PlacedData, report: Report): string {
  const textOf = (name: string) => {
    const value = placed.path[name];
    const style = own(resource.pathStyles ?? {}, name) ?? 'simple';
    const joined = joinedText(name, value, style);
    const { text, encoded } = typeof joined === 'string' ? { text: '', encoded: '' } : joined;
    const problem = typeof joined === 'string' ? joined : problemOfPathValue(style === 'json' ? text : value, text);
    if (problem !== null) report(`${pathInData(placed, 'path', name)}: ${problem}`);
    return encoded;
  };
  return pathParts.map((part, index) => (index % 2 === 0 ? part : textOf(part))).join('');
}

interface WrittenParameter {
  name: string;
  /** Or a message. */
  pairs: Pair[] | string;
}

function written(
  data: Record<string, unknown>,
  styles: Resource['queryStyles'],
  byDefault: ValueStyle,
  { allowReserved = [] }: Resource,
): WrittenParameter[] {
  return Object.entries(data).map(([name, value]) => {
    const encode = allowReserved.includes(name) ? encodeUnreserved : percentEncoded;
    return { name, pairs: pairsOf(name, value, own(styles ?? {}, name) ?? byDefault, encode) };
  });
}

function pairsIn(parameters: readonly WrittenParameter[]): Pair[] {
  return parameters.flatMap(({ pairs }) => (typeof pairs === 'string' ? [] : pairs));
}

function queryOf({ resource }: CompiledResource, placed: PlacedData, auth: Auth, report: Report): string {
  const found = written(placed.query, resource.queryStyles, 'form', resource);
  const pairs = pairsIn(found);
  // Checked first: nested names grow exponentially.
  if (lengthOfPairs(pairs) > MAX_QUERY) {
    report(`data: is too much for a query, which has at most ${MAX_QUERY} characters`);
    return '';
  }
  for (const { name, pairs: some } of found) {
    const problem = typeof some === 'string' ? some : problemOfPairs(some, auth);
    if (problem !== null) report(`${pathInData(placed, 'query', name)}: ${problem}`);
  }
  return formText(pairs);
}

/** A parameter with the name of the API key would replace it. */
function problemOfPairs(pairs: Pair[], auth: Auth): string | null {
  const key = auth.type === 'apiKey' && auth.in === 'query' ? comparable(auth.name) : null;
  for (const { name } of pairs) {
    if (name === '' || /\p{Cc}/u.test(name)) return 'is not a parameter name';
    if (key === null) continue;
    const one = comparable(name);
    if (one === key || one.startsWith(`${key}[`)) return 'is set by the way the connector authenticates';
  }
  return null;
}

/** Some servers ignore case, and PHP turns dots and blanks into `_`. */
function comparable(name: string): string {
  return name.trim().toLowerCase().replace(/[.\s]/g, '_');
}

const CONTENT_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', multipart: '' };

interface WrittenBody {
  text: string;
  contentType: string;
}

function bodyOf({ resource }: CompiledResource, placed: PlacedData, report: Report): WrittenBody | null {
  const { body } = placed;
  const { bodyType, formStyles, partTypes } = resource;
  if (body === undefined) return null;
  const { contentType = CONTENT_TYPES[bodyType] } = resource;
  if (bodyType === 'json') return { text: JSON.stringify(body), contentType };
  if (!isObject(body)) {
    report('data.body: must be an object: it is sent as a form');
    return null;
  }
  if (bodyType === 'multipart') {
    const parts = multipartBody(body, partTypes);
    if (parts.text.length > MAX_FORM) report(TOO_MUCH);
    return parts;
  }
  const members = written(body, formStyles, formStyles === undefined ? 'deepObject' : 'content', resource);
  for (const { name, pairs } of members) {
    if (typeof pairs === 'string') report(`${pathInData(placed, 'body', name)}: ${pairs}`);
  }
  const pairs = pairsIn(members);
  if (lengthOfPairs(pairs) <= MAX_FORM) return { text: formText(pairs), contentType };
  report(TOO_MUCH);
  return null;
}

/** Guarantees that no value changes origin or path. */
function urlOf({ origin, basePath }: CompiledTarget, path: string, query: string): URL {
  const pathname = `${basePath}${path}`;
  const url = new URL(`${origin}${pathname}${query === '' ? '' : `?${query}`}`);
  if (url.pathname !== pathname || url.origin !== origin || url.hash !== '') {
    throw invalid('data.path: leads to another path than that of the resource');
  }
  return url;
}

/** `headers`: names and values alternate. `name` in lower case. */
function hasName(headers: readonly string[], name: string): boolean {
  return headers.some((one, index) => index % 2 === 0 && one.toLowerCase() === name);
}

/** A list is a part for each item. Without a type a text is plain, and all else JSON (RFC 7578). */
function multipartBody(
  members: Record<string, unknown>,
  types: Record<string, string> = {},
): { contentType: string; text: string } {
  const parts = Object.entries(members).flatMap(([name, value]) => {
    const type = own(types, name);
    return (Array.isArray(value) ? value : [value]).flatMap((one) => (one === null ? [] : [partOf(name, one, type)]));
  });
  const boundary = `part-${createHash('sha256').update(parts.join()).digest('hex').slice(0, 40)}`;
  const text = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return { contentType: `multipart/form-data; boundary=${boundary}`, text };
}

function partOf(name: string, value: unknown, declared: string | undefined): string {
  const text = scalarText(value);
  const type = declared ?? (text === null ? 'application/json' : 'text/plain');
  const isJson = isJsonType(mediaTypeOf(type));
  const quoted = `"${name.replace(/["\r\n]/g, encodeURIComponent)}"`;
  // Servers tell files from fields by the filename.
  const file = isJson || mediaTypeOf(type) === 'text/plain' ? '' : `; filename=${quoted}`;
  const typeLine = type === 'text/plain' ? '' : `Content-Type: ${type}\r\n`;
  const content = text !== null && !isJson ? text : JSON.stringify(value);
  return `Content-Disposition: form-data; name=${quoted}${file}\r\n${typeLine}\r\n${content}`;
}
