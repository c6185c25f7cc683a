import { compiledPattern, type Pattern, type SchemaScope } from '../../../base/json-schema/evaluation.ts';
import { evaluationOf } from '../../../base/json-schema/keywords.ts';
import { type Outline, outlineOf } from '../../../base/json-schema/outline.ts';
import type { SchemaProblem } from '../../../base/json-schema/schema.ts';
import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import { invalid, notFound } from '../../../base/shared/errors.ts';
import { formatPath } from '../../../base/shared/issues.ts';
import { listNames, suggestion } from '../../../base/shared/names.ts';
import { pathPartsOf, placeholdersOf, type Resource } from '../definition/resource-schema.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';

/** In the order of search. */
export const LOCATIONS = ['path', 'query', 'headers', 'body'] as const;
export type ParameterLocation = (typeof LOCATIONS)[number];

export interface CompiledResource {
  slug: string;
  resource: Resource;
  pathParts: readonly string[];
  scope: SchemaScope;
  /** Header names in lower case, path parameters from the path itself. */
  outlines: Record<ParameterLocation, Outline>;
  /** By lower-case name. */
  headerNames: ReadonlyMap<string, string>;
}

export interface PlacedData {
  /** Messages then also name the location. */
  isStructured: boolean;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
  optionHeaders: Record<string, string>;
}

const MAX_MESSAGES = 20;

/** Module state, collected with the definition. */
const compiled = new WeakMap<ConnectorDefinition, { scope: SchemaScope; resources: Map<string, CompiledResource> }>();

/** Throws `not_found` for an unknown resource. */
export function compiledResource(definition: ConnectorDefinition, slug: string): CompiledResource {
  const { scope, resources } = compiled.get(definition) ?? { scope: scopeOf(definition), resources: new Map() };
  compiled.set(definition, { scope, resources });
  const resource = resources.get(slug) ?? compile(definition, slug, scope);
  resources.set(slug, resource);
  return resource;
}

function scopeOf({ schemas = {} }: ConnectorDefinition): SchemaScope {
  const patterns = new Map<string, Pattern>();
  return {
    schemas,
    patternOf: (source) => {
      const pattern = patterns.get(source) ?? compiledPattern(source)!;
      patterns.set(source, pattern);
      return pattern;
    },
  };
}

function compile(definition: ConnectorDefinition, slug: string, scope: SchemaScope): CompiledResource {
  const { resources } = definition;
  if (!Object.hasOwn(resources, slug)) {
    const known = Object.keys(resources);
    const hint = suggestion(slug, known, `; it has ${listNames(known)}`);
    throw notFound(`resource: "${definition.slug}" has no resource ${JSON.stringify(slug)}${hint}`);
  }
  const resource = resources[slug]!;
  const { query, headers, body } = resource.parameters;
  const named = outlineOf(headers, scope.schemas);
  const headerNames = new Map([...named.names].map((name) => [name.toLowerCase(), name]));
  return {
    slug,
    resource,
    pathParts: pathPartsOf(resource.path),
    scope,
    outlines: {
      path: { names: new Set(placeholdersOf(resource.path)), isOpen: false, takesObject: true },
      query: outlineOf(query, scope.schemas),
      headers: { ...named, names: new Set(headerNames.keys()) },
      body: outlineOf(body, scope.schemas),
    },
    headerNames,
  };
}

/** A DELETE has a body only if the resource describes it. */
export function takesBody({ method, parameters }: Resource): boolean {
  return method === 'DELETE' ? parameters.body !== undefined : method !== 'GET' && method !== 'HEAD';
}

/** Whether the schemas take it, but for nulls that count as left out. */
export function fits(compiled: CompiledResource, data: PlacedData): boolean {
  return withoutRefusedNulls(compiled, data).problems.length === 0;
}

/** Without the nulls that the schemas refuse. Throws `invalid`. */
export function checkedData(compiled: CompiledResource, data: PlacedData): PlacedData {
  const { kept, problems } = withoutRefusedNulls(compiled, data);
  if (problems.length === 0) return kept;
  throw invalid(...[...new Set(problems.map((problem) => messageOf(problem, kept)))].slice(0, MAX_MESSAGES));
}

function problemsOf(compiled: CompiledResource, data: PlacedData): SchemaProblem[] {
  return [...problemsOfPath(compiled, data), ...problemsOfLocations(compiled, data)];
}

/**
 * Members of the body: those of parameters are gone. Models in strict mode send null for what they
 * leave out.
 */
function withoutRefusedNulls(compiled: CompiledResource, data: PlacedData) {
  const problems = problemsOf(compiled, data);
  const { body } = data;
  if (problems.length === 0 || !isObject(body)) return { kept: data, problems };
  const refused = new Set(
    problems.filter(({ path }) => path[0] === 'body' && path.length === 2).map(({ path }) => path[1]),
  );
  const members = Object.entries(body).filter(([name, value]) => value !== null || !refused.has(name));
  if (members.length === Object.keys(body).length) return { kept: data, problems };
  const kept = { ...data, body: Object.fromEntries(members) };
  return { kept, problems: problemsOf(compiled, kept) };
}

function messageOf({ path, message }: SchemaProblem, { isStructured, optionHeaders }: PlacedData): string {
  const isOption = path[0] === 'headers' && hasHeader(optionHeaders, String(path[1]));
  const within = isStructured ? path : path.slice(1);
  return `${formatPath(isOption ? ['options', ...path] : ['data', ...within])}: ${message}`;
}

function hasHeader(headers: Record<string, string>, name: string): boolean {
  return Object.keys(headers).some((one) => one.toLowerCase() === name.toLowerCase());
}

function problemsOfPath({ outlines, resource }: CompiledResource, { path }: PlacedData): SchemaProblem[] {
  const names = [...outlines.path.names];
  const missing = names.filter((name) => !Object.hasOwn(path, name));
  const surplus = Object.keys(path).filter((name) => !outlines.path.names.has(name));
  return [
    ...missing.map((name) => ({ path: ['path', name], message: 'is required' })),
    ...surplus.slice(0, MAX_MESSAGES).map((name) => {
      const hint = suggestion(name, names, `; the path is ${resource.path}`);
      return { path: ['path', name], message: `unknown parameter${hint}` };
    }),
  ];
}

function problemsOfLocations(compiled: CompiledResource, data: PlacedData): SchemaProblem[] {
  const { resource, scope } = compiled;
  const { path, query, headers, body } = resource.parameters;
  const evaluation = evaluationOf(scope);
  const problemsIn = (location: ParameterLocation, schema: JsonSchema | undefined, value: unknown): SchemaProblem[] =>
    schema === undefined ? [] : evaluation.problemsOf(schema, value, { path: [location], asText: location !== 'body' });
  return [
    ...problemsIn('path', path, data.path),
    ...problemsIn('query', query, data.query),
    ...(headers === undefined ? [] : problemsIn('headers', headers, knownHeaders(data, compiled))),
    ...(data.body === undefined ? problemsOfNoBody(compiled, data, problemsIn) : problemsIn('body', body, data.body)),
  ];
}

function knownHeaders({ headers, optionHeaders }: PlacedData, { headerNames }: CompiledResource) {
  const knownOptions = Object.entries(optionHeaders).filter(([name]) => headerNames.has(name.toLowerCase()));
  return Object.fromEntries(
    [...Object.entries(headers), ...knownOptions].map(([name, value]) => [
      headerNames.get(name.toLowerCase()) ?? name,
      value,
    ]),
  );
}

/** A body without required members may be left out. */
function problemsOfNoBody(
  { resource, outlines }: CompiledResource,
  { isStructured }: PlacedData,
  problemsIn: (location: ParameterLocation, schema: JsonSchema | undefined, value: unknown) => SchemaProblem[],
): SchemaProblem[] {
  const { body } = resource.parameters;
  if (resource.bodyOptional) return [];
  if (outlines.body.takesObject) return problemsIn('body', body, {});
  const remedy = isStructured ? '' : '; it is not an object: write {"body": ...}';
  return [{ path: ['body'], message: `${isStructured ? '' : 'a body '}is required${remedy}` }];
}
