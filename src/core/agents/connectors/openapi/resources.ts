import type { JsonSchema } from '../../../base/json-schema/values.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import { issueMessages } from '../../../base/shared/issues.ts';
import { type Resource, resourceSchema } from '../definition/resource-schema.ts';
import { importBody } from './body.ts';
import { type OpenApiDocument, within } from './document.ts';
import { type ImportedMock, importMock } from './mock.ts';
import type { Notes } from './notes.ts';
import type { Operation } from './operations.ts';
import { importParameters, type ParameterContext } from './parameters.ts';
import { SchemaImporter } from './schemas.ts';
import { type JsonObject, listOf, textOf } from './values.ts';

const MAX_DESCRIPTION = 1_000;
const MAX_MOCK = 20_000;
/** All mocks together, to bound the size of the definition. */
const MAX_MOCKS = 2_000_000;

export interface ImportedResources {
  resources: Record<string, Resource>;
  /** Also schemas that no resource refers to. */
  shared: ReadonlyMap<string, JsonSchema>;
}

export function importResources(
  operations: readonly Operation[],
  document: OpenApiDocument,
  secret: ParameterContext['secret'],
  notes: Notes,
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

function importResource(one: Operation, context: ParameterContext, maxMock: number): Resource | null {
  const { operation, method, at } = one;
  const { notes } = context;
  const body = importBody(operation.requestBody, method, within(at, 'requestBody'), context);
  if (body === null) return null;
  const { path, parameters, styles } = importParameters(one.path, one.parameters, at, context);
  const { body: schema, ...written } = body;
  const allowReserved = [styles, written].flatMap((one: JsonObject) => listOf(one.allowReserved));
  const description = textOf([operation.summary, operation.description].filter(Boolean).join('\n\n'), MAX_DESCRIPTION);
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
function mockOf({ operation, at }: Operation, context: ParameterContext, maxSize: number): ImportedMock | undefined {
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
