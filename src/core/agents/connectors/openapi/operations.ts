import { isObject } from '../../../base/json-schema/values.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { CONNECTOR_LIMITS, HTTP_METHODS, type HttpMethod } from '../definition/resource-schema.ts';
import { type ImportNotes, type Located, type OpenApiDocument, within } from './document.ts';
import { asList, asObject, type JsonObject, own, uniqueName } from './values.ts';

export interface ApiOperation {
  slug: string;
  method: HttpMethod;
  path: string;
  operation: JsonObject;
  /** The path's, then the operation's. */
  parameters: Located[];
  at: string;
}

const MAX_SLUG = 100;
const SKIPPED_METHODS = ['options', 'trace'];

export function operationsOf(document: OpenApiDocument, notes: ImportNotes): ApiOperation[] {
  const operations: ApiOperation[] = [];
  const usedSlugs = new Set<string>();
  for (const [path, written] of Object.entries(asObject(own(document.root, 'paths')))) {
    if (path.startsWith('x-')) continue;
    const { value, at } = document.resolve(written, within('#/paths', path));
    const item = asObject(value);
    for (const method of HTTP_METHODS) {
      const operation = own(item, method.toLowerCase());
      if (!isObject(operation)) continue;
      const operationAt = within(at, method.toLowerCase());
      const problem = problemOf(path, operation.servers ?? item.servers, document);
      if (problem !== null) {
        notes.add(operationAt, problem);
        continue;
      }
      const parameters = [item, operation].map((one, index) => ({
        value: one.parameters,
        at: within(index === 0 ? at : operationAt, 'parameters'),
      }));
      const slug = slugOf(operation.operationId, method, path, usedSlugs);
      operations.push({ slug, method, path, operation, parameters, at: operationAt });
    }
    for (const method of SKIPPED_METHODS) {
      if (Object.hasOwn(item, method))
        notes.add(within(at, method), 'is of a method that is not called; it is left out');
    }
  }
  if (Object.hasOwn(document.root, 'webhooks'))
    notes.add('#/webhooks', 'are calls that the API makes; they are left out');
  if (operations.length > CONNECTOR_LIMITS.resources) {
    throw invalid(
      `#/paths: has ${operations.length} operations; a connector has ${CONNECTOR_LIMITS.resources} at most, so import the document in parts`,
    );
  }
  return operations;
}

function problemOf(path: string, servers: unknown, document: OpenApiDocument): string | null {
  const urls = asList(servers).map(urlOf);
  const known = asList(own(document.root, 'servers')).map(urlOf);
  if (urls.length > 0 && !urls.some((url) => known.includes(url))) {
    return 'has a server of its own, which a connector cannot have; it is left out';
  }
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  const isUsable = !/[?#\s\\]/.test(path) && new Set(names).size === names.length;
  return isUsable ? null : 'has a path with a query, a blank or a parameter twice; it is left out';
}

function urlOf(server: unknown): unknown {
  return asObject(server).url;
}

function slugOf(operationId: unknown, method: string, path: string, usedSlugs: Set<string>): string {
  const written = typeof operationId === 'string' ? slugCharacters(operationId) : '';
  return uniqueName(
    written || slugCharacters(`${method.toLowerCase()}${path.replace(/[{}]/g, '')}`),
    usedSlugs,
    MAX_SLUG,
  );
}

function slugCharacters(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_SLUG)
    .replace(/-+$/, '');
}
