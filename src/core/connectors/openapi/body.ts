import { isObject, type JsonSchema } from '../../json-schema/values.ts';
import type { Method, Resource } from '../definition/resource-schema.ts';
import type { QueryStyle } from '../definition/styles.ts';
import { charsetOf, isJsonType, mediaTypeOf } from '../media-type.ts';
import { type OpenApiDocument, within } from './document.ts';
import type { Notes } from './notes.ts';
import type { SchemaImporter } from './schemas.ts';
import { styleOf } from './styles.ts';
import { type JsonObject, objectOf } from './values.ts';

/** `body` is its schema. */
export type ImportedBody = { body?: JsonSchema } & Partial<
  Pick<Resource, 'bodyType' | 'contentType' | 'formStyles' | 'allowReserved' | 'bodyOptional'>
>;

/** Ranges that JSON is in. */
const RANGES = new Set(['*/*', 'application/*', 'application/*+json']);
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

/** Null for a content type that cannot be sent. */
export function importBody(
  requestBody: unknown,
  method: Method,
  at: string,
  { document, schemas, notes }: { document: OpenApiDocument; schemas: SchemaImporter; notes: Notes },
): ImportedBody | null {
  if (requestBody === undefined) return {};
  const resolved = document.resolve(requestBody, at);
  const content = objectOf(objectOf(resolved.value).content);
  const types = Object.keys(content);
  if (types.every((one) => isEmptyForm(content[one]))) return {};
  if (method === 'GET' || method === 'HEAD') {
    notes.add(at, `is the body of ${method}, which has none; it is left out`);
    return {};
  }
  const type = types.find((one) => mediaTypeOf(one) === JSON_TYPE) ?? types.find(isJson) ?? types.find(isForm);
  if (type === undefined) {
    const which = types.map(mediaTypeOf).slice(0, 5).join(', ').slice(0, 200);
    notes.add(at, `is sent as ${which}, of which none can be sent; the operation is left out`);
    return null;
  }
  const media = objectOf(content[type]);
  const schemaAt = within(resolved.at, 'content', type, 'schema');
  const body = isObject(media.schema) ? schemas.import(media.schema, schemaAt) : {};
  const optional = objectOf(resolved.value).required === true ? {} : ({ bodyOptional: true } as const);
  if (isForm(type))
    return { body, bodyType: 'form', ...formStylesOf(media, within(resolved.at, 'content', type), notes), ...optional };
  const mediaType = mediaTypeOf(type);
  const charset = charsetOf(type);
  if (!/^utf-?8$/i.test(charset)) notes.add(at, `is sent as UTF-8, and not as ${charset}`);
  const isUsual = mediaType === JSON_TYPE || RANGES.has(mediaType);
  return { body, ...(!isUsual && { contentType: mediaType }), ...optional };
}

/** OpenAPI 3.1.1, Encoding Object: with a style, explode or allowReserved the contentType does not count. */
function formStylesOf({ encoding }: JsonObject, at: string, notes: Notes) {
  const formStyles: Record<string, QueryStyle> = {};
  const allowReserved: string[] = [];
  for (const [name, one] of Object.entries(objectOf(encoding))) {
    const declared = objectOf(one);
    const { style, explode, allowReserved: reserved, contentType } = declared;
    const encodingAt = within(at, 'encoding', name);
    if ((style ?? explode ?? reserved) !== undefined) {
      formStyles[name] = styleOf(declared, 'query', encodingAt, notes) as QueryStyle;
    } else if (typeof contentType === 'string' && isJsonType(mediaTypeOf(contentType))) formStyles[name] = 'json';
    else if (typeof contentType === 'string' && mediaTypeOf(contentType) !== 'text/plain') {
      notes.add(
        encodingAt,
        `has the contentType ${contentType.slice(0, 100)}; a text is sent as it is, all else as JSON`,
      );
    }
    if (reserved === true) allowReserved.push(name);
  }
  return { formStyles, ...(allowReserved.length > 0 && { allowReserved }) };
}

/** Some documents give every operation an empty form. */
function isEmptyForm(media: unknown): boolean {
  const { schema } = objectOf(media);
  const { type, properties, ...more } = objectOf(schema);
  return type === 'object' && isObject(properties) && Object.keys({ ...properties, ...more }).length === 0;
}

export function isJson(type: string): boolean {
  const name = mediaTypeOf(type);
  return isJsonType(name) || RANGES.has(name);
}

function isForm(type: string): boolean {
  return mediaTypeOf(type) === FORM;
}
