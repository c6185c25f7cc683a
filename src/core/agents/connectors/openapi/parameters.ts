import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import { HEADER_NAME } from '../../providers/secret-schema.ts';
import { type PathStyle, placeholdersOf, type QueryStyle } from '../definition/resource-schema.ts';
import { isJsonType, mediaTypeOf } from '../media-type.ts';
import { type ImportNotes, type Located, type OpenApiDocument, within } from './document.ts';
import type { SchemaImporter } from './schemas.ts';
import { knownMembers, neededStyle, type StyledLocation, styleOf } from './styles.ts';
import { asList, asObject, type JsonObject, shortText, shownJson } from './values.ts';

/** Headers that OpenAPI ignores as parameters, and headers of the connection. */
const IGNORED_HEADERS = new Set([
  ...['accept', 'content-type', 'authorization'],
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'cookie'],
]);
const MAX_DESCRIPTION = 500;

interface Parameter {
  name: string;
  location: StyledLocation;
  required: boolean;
  schema: JsonSchema;
  /** Where it is not the usual one. */
  style?: QueryStyle | PathStyle;
  /** `allowReserved`. */
  reserved: boolean;
}

export interface ImportedParameters {
  path: string;
  parameters: { path?: JsonSchema; query: JsonSchema; headers?: JsonSchema };
  /** Members of the resource that say how values are written. */
  styles: JsonObject;
}

export interface ParameterContext {
  document: OpenApiDocument;
  schemas: SchemaImporter;
  notes: ImportNotes;
  /** Callers cannot set it. */
  secret: { in: 'header' | 'query'; name: string } | null;
}

/** Parameters of the operation override those of the path. */
export function importParameters(
  path: string,
  lists: readonly Located[],
  at: string,
  context: ParameterContext,
): ImportedParameters {
  const byLocation = new Map<string, Parameter>();
  for (const list of lists) {
    for (const [index, one] of asList(list.value).entries()) {
      for (const parameter of parametersOf(context.document.resolve(one, within(list.at, index)), context)) {
        byLocation.set(`${parameter.location} ${parameter.name}`, parameter);
      }
    }
  }
  const all = [...byLocation.values()];
  const query = all.filter(({ location }) => location === 'query');
  const headers = all.filter(({ location }) => location === 'header');
  const pathParts = importPath(path, all, at, context.notes);
  const reserved = query.filter((one) => one.reserved).map(({ name }) => name);
  return {
    path: pathParts.path,
    parameters: {
      ...(pathParts.parameters.length > 0 && { path: objectSchema(pathParts.parameters, true) }),
      query: objectSchema(query, true),
      ...(headers.length > 0 && { headers: objectSchema(headers, false) }),
    },
    styles: {
      ...stylesIn('pathStyles', pathParts.parameters),
      ...stylesIn('queryStyles', query),
      ...stylesIn('headerStyles', headers),
      ...(reserved.length > 0 && { allowReserved: reserved }),
    },
  };
}

function stylesIn(member: string, parameters: readonly Parameter[]): JsonObject {
  const styles = parameters.flatMap(({ name, style }) => (style === undefined ? [] : [[name, style] as const]));
  return styles.length > 0 ? { [member]: Object.fromEntries(styles) } : {};
}

function objectSchema(parameters: readonly Parameter[], closed: boolean): JsonSchema {
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    ...(closed && { additionalProperties: false }),
  };
}

function importPath(
  path: string,
  all: Parameter[],
  at: string,
  notes: ImportNotes,
): { path: string; parameters: Parameter[] } {
  const declared = new Map(all.filter(({ location }) => location === 'path').map((one) => [one.name, one]));
  const parameters: Parameter[] = [];
  const imported = path.replace(/\{([^{}]*)\}/g, (_, written: string) => {
    const name = placeholderOf(written);
    if (name !== written) notes.add(at, `has the path parameter ${shownJson(written)}, which is called ${name} here`);
    const known = declared.get(written);
    if (!known)
      notes.add(at, `has ${shownJson(written)} in its path and not among its parameters; it is taken as text`);
    declared.delete(written);
    const schema = known?.schema ?? { type: 'string' };
    const style = known?.style;
    parameters.push({ name, location: 'path', required: true, reserved: false, schema, ...(style && { style }) });
    return `{${name}}`;
  });
  for (const name of declared.keys()) notes.add(at, `has no ${shownJson(name)} in its path; the parameter is left out`);
  const encoded = imported.replace(/%(?![0-9a-f]{2})/gi, '%25');
  return { path: encoded.startsWith('/') ? encoded : `/${encoded}`, parameters };
}

function placeholderOf(name: string): string {
  if (placeholdersOf(`{${name}}`).length === 1) return name;
  const plain = name.replace(/[^\w.-]+/g, '');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

function parametersOf({ value, at }: Located, context: ParameterContext): Parameter[] {
  const declared = asObject(value);
  const { name, in: location } = declared;
  const leaveOut = (why: string): [] => {
    context.notes.add(at, why);
    return [];
  };
  if (typeof name !== 'string' || name === '' || !name.isWellFormed()) {
    return leaveOut('is a parameter without a name, which is left out');
  }
  if (location === 'cookie') return leaveOut('is a parameter in a cookie, which is left out: cookies are not sent');
  if (location !== 'path' && location !== 'query' && location !== 'header') {
    return leaveOut('is a parameter of no known place, which is left out');
  }
  if (location === 'header') {
    if (IGNORED_HEADERS.has(name.toLowerCase())) return [];
    if (!HEADER_NAME.test(name)) return leaveOut('is a header that cannot be sent, which is left out');
  }
  if (isSecret(name, location, context)) return [];
  return withSchema(declared, name, location, at, context);
}

function isSecret(name: string, location: StyledLocation, { secret }: ParameterContext): boolean {
  if (secret === null || secret.in !== location) return false;
  return location === 'header' ? name.toLowerCase() === secret.name.toLowerCase() : name === secret.name;
}

function withSchema(
  declared: JsonObject,
  name: string,
  location: StyledLocation,
  at: string,
  context: ParameterContext,
): Parameter[] {
  const { schemas, notes } = context;
  const reserved = location === 'query' && declared.allowReserved === true;
  const parameter = { name, location, required: location === 'path' || declared.required === true, reserved };
  const description = shortText(declared.description, MAX_DESCRIPTION);
  const described = (schema: JsonSchema) => ({ ...schema, ...(description !== undefined && { description }) });
  if (isObject(declared.content) && declared.schema === undefined) {
    const [[type, media] = ['', {}]] = Object.entries(declared.content);
    if (isJsonType(mediaTypeOf(type))) {
      const schemaAt = within(at, 'content', type, 'schema');
      const json = schemas.import(asObject(media).schema ?? {}, schemaAt);
      return [{ ...parameter, schema: described(json), style: 'json' }];
    }
    notes.add(at, 'has content in place of a schema; it is given as text, written as that content is');
    return [{ ...parameter, schema: described({ type: 'string' }) }];
  }
  const schemaAt = within(at, 'schema');
  const plain = declared.schema === undefined ? {} : schemas.import(declared.schema, schemaAt);
  const style = neededStyle(styleOf(declared, location, at, notes), location, plain, schemas.shared);
  if (style === 'brackets')
    notes.add(at, 'is a list as deepObject, which OpenAPI leaves undefined; it is sent as name[]');
  const members = style === 'spread' ? knownMembers(plain, schemas.shared) : null;
  if (members === null) return [{ ...parameter, schema: described(plain), ...(style && { style }) }];
  const target = asObject(context.document.resolve(declared.schema, schemaAt).value);
  return spread(members, parameter, parameter.required ? asList(target.required) : []);
}

/** The default in a query: `?page=1&size=20`. */
function spread(
  members: JsonObject,
  parameter: Parameter | Omit<Parameter, 'schema'>,
  required: unknown[],
): Parameter[] {
  return Object.entries(members).map(([name, schema]) => ({
    ...parameter,
    name,
    required: required.includes(name),
    schema: asObject(schema),
  }));
}
