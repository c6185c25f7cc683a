import type { ConnectorDefinition } from '../../../src/core/connectors/definition/members.ts';
import { connectorDefinitionSchema } from '../../../src/core/connectors/definition/schema.ts';
import { type BuiltRequest, buildRequest, type RequestParts } from '../../../src/core/connectors/request/request.ts';
import { RuntimeError } from '../../../src/core/shared/errors.ts';

/** A connector of one resource, `call`; members of the definition and of the resource may be given. */
export function connector(resource: object, definition: object = {}): ConnectorDefinition {
  return connectorDefinitionSchema.parse({
    slug: 'shop',
    name: 'Shop',
    environments: { production: { baseUrl: 'https://api.example.com/v1' } },
    resources: { call: { method: 'GET', path: '/pets', ...resource } },
    ...definition,
  });
}

/** The request that a call of it makes. */
export function requestOf(definition: ConnectorDefinition, parts: Partial<RequestParts> = {}): BuiltRequest {
  return buildRequest({ definition, environment: 'production', resourceSlug: 'call', ...parts });
}

/** The messages of the RuntimeError that it throws; none: it throws nothing. */
export function messagesOf(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof RuntimeError) return error.messages;
    throw error;
  }
}

/** What is wrong with a definition, as paths and messages. */
export function problemsOfDefinition(resource: object, definition: object = {}): string[] {
  try {
    connector(resource, definition);
    return [];
  } catch (error) {
    const { issues } = error as { issues: { path: PropertyKey[]; message: string }[] };
    return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
}

/** A header of a request, by its name in small letters. */
export function headerOf({ headers }: BuiltRequest, name: string): string | undefined {
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}
