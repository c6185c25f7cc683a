import { routes } from '../../../src/http/app.ts';
import { examples } from '../../../src/http/docs/examples/index.ts';
import { openApiDocument } from '../../../src/http/docs/openapi.ts';
import type { Json } from '../../../src/http/docs/schemas.ts';

/** A JSON Schema as the document has it. */
export type Schema = Json;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  examples: unknown[];
}

/** One operation of the document, laid out for making requests of it. */
export interface Operation {
  id: string;
  method: string;
  /** `/things/{thingId}`. */
  path: string;
  /** A scope, `portal:user`, `portal:administrator`, `authenticated` or `open`. */
  access: string;
  parameters: Parameter[];
  /** By content type: what the body is like, and examples of it. */
  bodies: Record<string, { schema: Schema; examples: unknown[] }>;
  bodyRequired: boolean;
  /** By status: the content types of the answer; none where it has no body. */
  responses: Record<string, string[]>;
}

interface Responding {
  $ref?: string;
  content?: Record<string, unknown>;
}

interface DocumentedOperation extends Json {
  operationId: string;
  security?: unknown[];
  'x-scope'?: string;
  'x-access'?: string;
  parameters?: (Omit<Parameter, 'examples'> & { examples?: Shown })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; examples?: Shown }> };
  responses: Record<string, Responding>;
}

type Shown = Record<string, { value: unknown }>;

export const apiDocument = openApiDocument(routes) as Json & {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Responding> };
};

const shownIn = (shown: Shown = {}) => Object.values(shown).map(({ value }) => value);

/** In the order of the examples, in which one makes what another asks for; what has none comes last. */
export const operations: Operation[] = Object.entries(apiDocument.paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => laidOut(path, method, operation)))
  .toSorted((one, other) => rankOf(one) - rankOf(other));

function laidOut(path: string, method: string, operation: DocumentedOperation): Operation {
  const { operationId, security, parameters = [], requestBody, responses } = operation;
  const open = security?.length === 0 ? 'open' : undefined;
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    // What has neither answers this machine without a credential.
    access: operation['x-scope'] ?? operation['x-access'] ?? open ?? 'open',
    parameters: parameters.map((parameter) => ({ ...parameter, examples: shownIn(parameter.examples) })),
    bodies: Object.fromEntries(
      Object.entries(requestBody?.content ?? {}).map(([type, body]) => [
        type,
        { schema: body.schema, examples: shownIn(body.examples) },
      ]),
    ),
    bodyRequired: requestBody?.required ?? false,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, Object.keys(resolved(response).content ?? {})]),
    ),
  };
}

function resolved(response: Responding): Responding {
  const name = response.$ref?.replace(/^.*\//, '');
  return name === undefined ? response : apiDocument.components.responses[name]!;
}

/** What deletes comes after what needs it. */
function rankOf({ id, method }: Operation): number {
  const place = Object.keys(examples).indexOf(id);
  return (place === -1 ? 1_000 : place) + (method === 'DELETE' ? 10_000 : 0);
}
