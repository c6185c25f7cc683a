import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import { issueMessages } from '../../../base/shared/issues.ts';
import { checkJson } from '../../../base/shared/json.ts';
import { type Resource, resourceSchema } from '../definition/resource-schema.ts';
import { importBody, isJson } from './body.ts';
import { type ImportNotes, type OpenApiDocument, within } from './document.ts';
import type { ApiOperation } from './operations.ts';
import { importParameters, type ParameterContext } from './parameters.ts';
import { SchemaImporter } from './schemas.ts';
import { asList, asObject, type JsonObject, own, shortText } from './values.ts';

const MAX_DESCRIPTION = 1_000;
const MAX_MOCK = 20_000;
/** All mocks together, to bound the size of the definition. */
const MAX_MOCKS = 2_000_000;

export interface ImportedResources {
  resources: Record<string, Resource>;
  /** Includes schemas that no resource refers to. */
  shared: ReadonlyMap<string, JsonSchema>;
}

export function importResources(
  operations: readonly ApiOperation[],
  document: OpenApiDocument,
  secret: ParameterContext['secret'],
  notes: ImportNotes,
): ImportedResources {
  const schemas = new SchemaImporter(document, notes);
  const context = { document, schemas, notes, secret };
  const maxMock = Math.min(MAX_MOCK, Math.floor(MAX_MOCKS / Math.max(operations.length, 1)));
  const resources = operations.flatMap((one) => {
    const resource = importResource(one, context, maxMock);
    return resource === null ? [] : [[one.slug, resource] as const];
  });
  return { resources: Object.fromEntries(resources), shared: schemas.shared };
}

function importResource(one: ApiOperation, context: ParameterContext, maxMock: number): Resource | null {
  const { operation, method, at } = one;
  const { notes } = context;
  const body = importBody(operation.requestBody, method, within(at, 'requestBody'), context);
  if (body === null) return null;
  const { path, parameters, styles } = importParameters(one.path, one.parameters, at, context);
  const { body: schema, ...written } = body;
  const allowReserved = [styles, written].flatMap((one: JsonObject) => asList(one.allowReserved));
  const description = shortText(
    [operation.summary, operation.description].filter(Boolean).join('\n\n'),
    MAX_DESCRIPTION,
  );
  const mock = mockOf(one, context, maxMock);
  const result = resourceSchema.safeParse({
    method,
    path,
    ...(description !== undefined && { description }),
    parameters: { ...parameters, ...(schema && { body: schema }) },
    ...written,
    ...styles,
    ...(allowReserved.length > 0 && { allowReserved }),
    ...(mock && { mock }),
  });
  if (result.success) return result.data;
  notes.add(at, `cannot be a resource (${issueMessages(result.error).slice(0, 3).join('; ')}); it is left out`);
  return null;
}

/** An invalid response costs the mock, not the operation. */
function mockOf({ operation, at }: ApiOperation, context: ParameterContext, maxSize: number): ImportedMock | undefined {
  try {
    const mock = importMock(operation.responses, within(at, 'responses'), maxSize, context);
    if (!mock) context.notes.add(at, 'has no example of a successful JSON answer, or one too large; it has no mock');
    return mock;
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    context.notes.add(at, `has no mock: ${error.message}`);
    return undefined;
  }
}

const MAX_DEPTH = 30;

export interface ImportedMock {
  status: number;
  body?: unknown;
}

/** The first successful response with an example (docs/decisions/0025-mocks-of-imports.md). */
export function importMock(
  responses: unknown,
  at: string,
  maxSize: number,
  { document, notes }: { document: OpenApiDocument; notes: ImportNotes },
): ImportedMock | undefined {
  const answers = Object.entries(asObject(responses)).filter(([status]) => /^2(\d\d|XX)$/i.test(status));
  let empty: ImportedMock | undefined;
  for (const [code, written] of answers.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const status = /^\d+$/.test(code) ? Number(code) : 200;
    const response = document.resolve(written, within(at, code));
    const content = asObject(asObject(response.value).content);
    const type = Object.keys(content).find(isJson);
    if (type !== undefined) {
      const example = exampleOf(asObject(content[type]), within(response.at, 'content', type), document, notes);
      const body = bodyOf(example, maxSize);
      return body === undefined ? undefined : { status, body };
    }
    if (Object.keys(content).length === 0) empty ??= { status };
  }
  return empty;
}

/** The whole example, else one item per list; undefined when both are too large. */
function bodyOf(example: unknown, maxSize: number): unknown {
  return [example, oneItemPerList(example, MAX_DEPTH)].find(
    (body) => body !== undefined && checkJson(body, MAX_DEPTH).length === 0 && JSON.stringify(body).length <= maxSize,
  );
}

function exampleOf(media: JsonObject, at: string, document: OpenApiDocument, notes: ImportNotes): unknown {
  if (Object.hasOwn(media, 'example')) return media.example;
  for (const [name, written] of Object.entries(asObject(media.examples))) {
    const example = asObject(document.resolve(written, within(at, 'examples', name)).value);
    if (Object.hasOwn(example, 'value')) return example.value;
    if (Object.hasOwn(example, 'externalValue')) {
      notes.add(within(at, 'examples', name), 'is an example elsewhere, which is not read');
    }
  }
  const schema = asObject(document.resolve(media.schema, within(at, 'schema')).value);
  return own(schema, 'example') ?? asList(schema.examples)[0] ?? own(schema, 'default');
}

function oneItemPerList(value: unknown, levels: number): unknown {
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => oneItemPerList(item, levels - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, oneItemPerList(member, levels - 1)]));
}
