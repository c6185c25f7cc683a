import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import type { Method, Resource } from '../definition/resource-schema.ts';
import { charsetOf, isJsonType, mediaTypeOf } from '../media-type.ts';
import { type OpenApiDocument, within } from './document.ts';
import { formStylesOf, partTypesOf } from './encoding.ts';
import type { Notes } from './notes.ts';
import type { SchemaImporter } from './schemas.ts';
import { objectOf } from './values.ts';

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
  const typeOf = (wanted: string) => types.find((one) => mediaTypeOf(one) === wanted);
  const type = typeOf(JSON_TYPE) ?? types.find(isJson) ?? typeOf(FORM) ?? typeOf(MULTIPART);
  if (type === undefined) {
    const which = types.map(mediaTypeOf).slice(0, 5).join(', ').slice(0, 200);
    notes.add(at, `is sent as ${which}, of which none can be sent; the operation is left out`);
    return null;
  }
  const media = objectOf(content[type]);
  const schemaAt = within(resolved.at, 'content', type, 'schema');
  const body = isObject(media.schema) ? schemas.import(media.schema, schemaAt) : {};
  const optional = objectOf(resolved.value).required === true ? {} : ({ bodyOptional: true } as const);
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
  const { schema } = objectOf(media);
  const { type, properties, ...more } = objectOf(schema);
  return type === 'object' && isObject(properties) && Object.keys({ ...properties, ...more }).length === 0;
}

export function isJson(type: string): boolean {
  const name = mediaTypeOf(type);
  return isJsonType(name) || RANGES.has(name);
}
