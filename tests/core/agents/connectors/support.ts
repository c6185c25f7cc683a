import {
  type ConnectorDefinition,
  connectorDefinitionSchema,
} from '../../../../src/core/agents/connectors/definition/schema.ts';
import {
  type BuiltRequest,
  buildRequest,
  type RequestParts,
} from '../../../../src/core/agents/connectors/request/request.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

/** A connector with the resource `call`, and optional members of both. */
export function connector(resource: object, definition: object = {}): ConnectorDefinition {
  return connectorDefinitionSchema.parse({
    slug: 'shop',
    name: 'Shop',
    environments: { production: { baseUrl: 'https://api.example.com/v1' } },
    credentials: ['main'],
    resources: { call: { method: 'GET', path: '/pets', ...resource } },
    ...definition,
  });
}

export function requestOf(definition: ConnectorDefinition, parts: Partial<RequestParts> = {}): BuiltRequest {
  return buildRequest({ definition, environment: 'production', resourceSlug: 'call', ...parts });
}

/** The messages of the RuntimeError that it throws; none if it does not throw. */
export function messagesOf(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof RuntimeError) return error.messages;
    throw error;
  }
}

/** The problems of a definition, as `path: message`. */
export function problemsOfDefinition(resource: object, definition: object = {}): string[] {
  try {
    connector(resource, definition);
    return [];
  } catch (error) {
    const { issues } = error as { issues: { path: PropertyKey[]; message: string }[] };
    return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
}

export function headerOf({ headers }: BuiltRequest, name: string): string | undefined {
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}
