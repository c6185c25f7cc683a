import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import type { HttpMethod, QueryStyle, Resource } from '../definition/resource-schema.ts';
import { charsetOf, isJsonType, mediaTypeOf } from '../media-type.ts';
import { type ImportNotes, type Located, type OpenApiDocument, within } from './document.ts';
import type { SchemaImporter } from './schemas.ts';
import { styleOf } from './styles.ts';
import { asList, asObject, type JsonObject } from './values.ts';

/** `body` is its schema. */
export type ImportedBody = { body?: JsonSchema } & Partial<
  Pick<Resource, 'bodyType' | 'contentType' | 'formStyles' | 'partTypes' | 'allowReserved' | 'bodyOptional'>
>;

/** Ranges that JSON is in. */
const RANGES = new Set(['*/*', 'application/*', 'application/*+json']);
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** Null for a content type that cannot be sent. */
export function importBody(
  requestBody: unknown,
  method: HttpMethod,
  at: string,
  { document, schemas, notes }: { document: OpenApiDocument; schemas: SchemaImporter; notes: ImportNotes },
): ImportedBody | null {
  if (requestBody === undefined) return {};
  const resolved = document.resolve(requestBody, at);
  const content = asObject(asObject(resolved.value).content);
  const types = Object.keys(content);
  if (types.every((one) => isEmptyForm(content[one]))) return {};
  if (method === 'GET' || method === 'HEAD') {
    notes.add(at, `is the body of ${method}, which has none; it is left out`);
    return {};
  }
  const typeOf = (wanted: string) => types.find((one) => mediaTypeOf(one) === wanted);
  const type = typeOf(JSON_TYPE) ?? types.find(isJson) ?? typeOf(FORM) ?? typeOf(MULTIPART);
  if (type === undefined) {
    const which = types.map(mediaTypeOf).slice(0, 5).join(', ').slice(0, 200);
    notes.add(at, `is sent as ${which}, of which none can be sent; the operation is left out`);
    return null;
  }
  const media = asObject(content[type]);
  const schemaAt = within(resolved.at, 'content', type, 'schema');
  const body = isObject(media.schema) ? schemas.import(media.schema, schemaAt) : {};
  const optional = asObject(resolved.value).required === true ? {} : ({ bodyOptional: true } as const);
  const mediaType = mediaTypeOf(type);
  const mediaAt = within(resolved.at, 'content', type);
  if (mediaType === FORM) return { body, bodyType: 'form', ...formStylesOf(media, mediaAt, notes), ...optional };
  if (mediaType === MULTIPART) {
    return { body, bodyType: 'multipart', ...partTypesOf(media, mediaAt, document, notes), ...optional };
  }
  const charset = charsetOf(type);
  if (!/^utf-?8$/i.test(charset)) notes.add(at, `is sent as UTF-8, and not as ${charset}`);
  const isUsual = mediaType === JSON_TYPE || RANGES.has(mediaType);
  return { body, ...(!isUsual && { contentType: mediaType }), ...optional };
}

/** Some documents give every operation an empty form. */
function isEmptyForm(media: unknown): boolean {
  const { schema } = asObject(media);
  const { type, properties, ...more } = asObject(schema);
  return type === 'object' && isObject(properties) && Object.keys({ ...properties, ...more }).length === 0;
}

export function isJson(type: string): boolean {
  const name = mediaTypeOf(type);
  return isJsonType(name) || RANGES.has(name);
}

const MAX_ALL_OF = 20;

/** OpenAPI 3.1.1: a style, explode or allowReserved outweighs the contentType. */
export function formStylesOf(
  { encoding }: JsonObject,
  at: string,
  notes: ImportNotes,
): Pick<Resource, 'formStyles' | 'allowReserved'> {
  const styles: [string, QueryStyle][] = [];
  const reserved: string[] = [];
  for (const [name, one] of Object.entries(asObject(encoding))) {
    const declared = asObject(one);
    const type = mediaTypeOf(String(declared.contentType ?? ''));
    const encodingAt = within(at, 'encoding', name);
    if ((declared.style ?? declared.explode ?? declared.allowReserved) !== undefined) {
      styles.push([name, styleOf(declared, 'query', encodingAt, notes) as QueryStyle]);
    } else if (isJsonType(type)) styles.push([name, 'json']);
    else if (type !== '' && type !== 'text/plain') {
      notes.add(encodingAt, sentAsJson(type));
    }
    if (declared.allowReserved === true) reserved.push(name);
  }
  return { formStyles: Object.fromEntries(styles), ...(reserved.length > 0 && { allowReserved: reserved }) };
}

function sentAsJson(type: string): string {
  return `has the contentType ${type.slice(0, 100)}; a text is sent as it is, all else as JSON`;
}

/** The types of files, and of members whose encoding names one. */
export function partTypesOf(
  { schema, encoding }: JsonObject,
  at: string,
  document: OpenApiDocument,
  notes: ImportNotes,
): Pick<Resource, 'partTypes'> {
  const types = new Map<string, string>();
  const schemaAt = within(at, 'schema');
  for (const [name, property] of propertiesOf({ value: schema, at: schemaAt }, document)) {
    const type = fileTypeOf(property, schemaAt, document);
    if (type === null) continue;
    notes.add(schemaAt, 'has files; the text that is given is their content');
    types.set(name, type);
  }
  for (const [name, one] of Object.entries(asObject(encoding))) {
    const { contentType, headers, style, explode } = asObject(one);
    const encodingAt = within(at, 'encoding', name);
    const type = mediaTypeOf(String(contentType ?? ''));
    if (!isJsonType(type) && !/^(text\/.*)?$/.test(type) && !types.has(name)) notes.add(encodingAt, sentAsJson(type));
    if (type !== '' && !type.includes('*')) types.set(name, type);
    if (headers !== undefined) notes.add(encodingAt, 'has headers of a part, which are not sent');
    if ((style ?? explode) !== undefined) notes.add(encodingAt, 'has a style of a part, which is not followed');
  }
  return types.size > 0 ? { partTypes: Object.fromEntries(types) } : {};
}

/** With those of `allOf`. */
function propertiesOf(schema: Located, document: OpenApiDocument, levels = 3): [string, unknown][] {
  const { value, at } = document.resolve(schema.value, schema.at);
  const { properties, allOf } = asObject(value);
  const inherited = levels === 0 ? [] : asList(allOf).slice(0, MAX_ALL_OF);
  return [
    ...inherited.flatMap((one, index) =>
      propertiesOf({ value: one, at: within(at, 'allOf', index) }, document, levels - 1),
    ),
    ...Object.entries(asObject(properties)),
  ];
}

/** The type of a file, or of a list of files or one that may be null; null for other members. */
function fileTypeOf(schema: unknown, at: string, document: OpenApiDocument, levels = 2): string | null {
  const property = asObject(document.resolve(schema, at).value);
  const { format, contentEncoding, contentMediaType, items, anyOf, oneOf } = property;
  const type = typeof contentMediaType === 'string' ? mediaTypeOf(contentMediaType) : 'application/octet-stream';
  // OpenAPI 3.1 writes a file with contentMediaType alone.
  const isMedia = contentMediaType !== undefined && !isJsonType(type) && !type.startsWith('text/');
  if (isMedia || contentEncoding !== undefined || format === 'binary') return type;
  const inner = levels === 0 ? [] : [items, ...asList(anyOf ?? oneOf).slice(0, MAX_ALL_OF)];
  return inner.map((one) => fileTypeOf(one, at, document, levels - 1)).find((one) => one !== null) ?? null;
}
