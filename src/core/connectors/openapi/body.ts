import { isObject, type JsonSchema } from '../../json-schema/values.ts';
import type { Method } from '../definition/resource-schema.ts';
import { type OpenApiDocument, within } from './document.ts';
import type { Notes } from './notes.ts';
import type { SchemaImporter } from './schemas.ts';
import { objectOf } from './values.ts';

export interface ImportedBody {
  body?: JsonSchema;
  bodyType?: 'json' | 'form';
  bodyOptional?: true;
}

const SAME_AS_JSON = new Set(['application/json', '*/*', 'application/*']);
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
  const type = types.find((one) => mediaTypeOf(one) === 'application/json') ?? types.find(isJson) ?? types.find(isForm);
  if (type === undefined) {
    const which = types.map(mediaTypeOf).slice(0, 5).join(', ').slice(0, 200);
    notes.add(at, `is sent as ${which}, of which none can be sent; the operation is left out`);
    return null;
  }
  const media = objectOf(content[type]);
  const schemaAt = within(resolved.at, 'content', type, 'schema');
  const body = isObject(media.schema) ? schemas.import(media.schema, schemaAt) : {};
  if (!isForm(type) && !SAME_AS_JSON.has(mediaTypeOf(type)))
    notes.add(at, `is sent as application/json, and not as ${mediaTypeOf(type)}`);
  const optional = objectOf(resolved.value).required === true ? {} : ({ bodyOptional: true } as const);
  return { body, ...(isForm(type) && { bodyType: 'form' }), ...optional };
}

/** Some documents give every operation an empty form. */
function isEmptyForm(media: unknown): boolean {
  const { schema } = objectOf(media);
  const { type, properties, ...more } = objectOf(schema);
  return type === 'object' && isObject(properties) && Object.keys({ ...properties, ...more }).length === 0;
}

export function isJson(type: string): boolean {
  const name = mediaTypeOf(type);
  return /^[\w.+-]+\/([\w.-]+\+)?json$/.test(name) || name === '*/*' || name === 'application/*';
}

function isForm(type: string): boolean {
  return mediaTypeOf(type) === FORM;
}

function mediaTypeOf(type: string): string {
  return type.split(';')[0]!.trim().toLowerCase();
}
