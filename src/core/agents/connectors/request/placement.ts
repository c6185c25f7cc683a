import { isObject } from '../../../base/json-schema/values.ts';
import { invalid, RuntimeError } from '../../../base/shared/errors.ts';
import { formatPath } from '../../../base/shared/issues.ts';
import { listNames, suggestion } from '../../../base/shared/names.ts';
import {
  type CompiledResource,
  fits,
  LOCATIONS,
  type ParameterLocation,
  type PlacedData,
  takesBody,
} from './validation.ts';

const MAX_MESSAGES = 20;

const PLACES = ['path', 'query', 'headers'] as const;

type Data = Record<string, unknown>;
type Headers = Record<string, string>;

/** Structured if all members are `path`, `query`, `headers` or `body`, else flat. */
export function placeData(compiled: CompiledResource, data: Data, optionHeaders: Headers = {}): PlacedData {
  const names = Object.keys(data);
  if (names.length === 0 || !names.every(isLocation)) return placeFlat(compiled, data, optionHeaders);
  const sharedNames = names.filter((name) => locationsOf(compiled, name).length > 0);
  // An empty array may be the value of a parameter.
  const hasObjects = PLACES.every((place) => isObject(data[place] ?? {}));
  // With all three present, even empty, data is structured.
  const isExplicit = PLACES.every((place) => data[place] !== undefined && isObject(parametersIn(data, place)));
  if (sharedNames.length === 0 || isExplicit) return placeStructured(compiled, data, optionHeaders);
  if (!hasObjects) return placeFlat(compiled, data, optionHeaders);
  const structured = placeStructured(compiled, data, optionHeaders);
  const flat = unlessInvalid(() => placeFlat(compiled, data, optionHeaders));
  if (flat === null || !fits(compiled, flat)) return structured;
  if (!fits(compiled, structured)) return flat;
  throw invalid(
    `data: is ambiguous, since ${sharedNames.join(' and ')} is also the name of a parameter; write it structured, with path, query and headers all there, {} where one is empty`,
  );
}

/** Null counts as left out, and so does an empty array, as PHP writes an empty object. */
function parametersIn(data: Data, location: string): unknown {
  const given = data[location] ?? [];
  return Array.isArray(given) && given.length === 0 ? {} : given;
}

function unlessInvalid(place: () => PlacedData): PlacedData | null {
  try {
    return place();
  } catch (error) {
    if (error instanceof RuntimeError) return null;
    throw error;
  }
}

function placeStructured({ resource }: CompiledResource, data: Data, optionHeaders: Headers): PlacedData {
  const messages: string[] = [];
  const parametersOf = (location: ParameterLocation): Data => {
    const parameters = parametersIn(data, location);
    if (isObject(parameters)) return withoutNulls(parameters);
    messages.push(`data.${location}: must be an object of parameters by name`);
    return {};
  };
  const placed = { path: parametersOf('path'), query: parametersOf('query'), headers: parametersOf('headers') };
  const isBodiless = resource.method === 'GET' || resource.method === 'HEAD';
  if (isBodiless && (data.body ?? null) !== null) {
    messages.push(`data.body: must be left out: ${resource.method} has no body`);
  }
  if (messages.length > 0) throw invalid(...messages);
  return { isStructured: true, ...placed, body: isBodiless ? undefined : data.body, optionHeaders };
}

function placeFlat(compiled: CompiledResource, data: Data, optionHeaders: Headers): PlacedData {
  const entries: Record<ParameterLocation, [string, unknown][]> = { path: [], query: [], headers: [], body: [] };
  const messages: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const locations = locationsOf(compiled, name);
    const location = locations.length > 0 ? locations[0]! : locationOfUnknown(compiled);
    if (locations.length > 1) messages.push(ambiguous(name, locations));
    else if (locations.length === 0 && isLocation(name) && isObject(value) && !Object.keys(data).every(isLocation)) {
      messages.push(mixed(name, Object.keys(data)));
    } else if (location === null) messages.push(unknownParameter(compiled, name));
    // Null has no text form and is left out.
    else if (value !== null || location === 'body') entries[location].push([name, value]);
    if (messages.length === MAX_MESSAGES) break;
  }
  if (messages.length > 0) throw invalid(...messages);
  return {
    isStructured: false,
    path: Object.fromEntries(entries.path),
    query: Object.fromEntries(entries.query),
    headers: Object.fromEntries(entries.headers),
    body: entries.body.length > 0 ? Object.fromEntries(entries.body) : undefined,
    optionHeaders,
  };
}

function isLocation(name: string): boolean {
  return (LOCATIONS as readonly string[]).includes(name);
}

function locationsOf({ outlines, resource }: CompiledResource, name: string): ParameterLocation[] {
  return LOCATIONS.filter((location) => {
    if (location === 'body' && !(takesBody(resource) && outlines.body.takesObject)) return false;
    return outlines[location].names.has(location === 'headers' ? name.toLowerCase() : name);
  });
}

/** A misspelled member of the body must not be sent unnoticed as a header or in the query. */
function locationOfUnknown({ outlines, resource }: CompiledResource): ParameterLocation | null {
  if (takesBody(resource) && outlines.body.takesObject && outlines.body.isOpen) return 'body';
  if (resource.parameters.body !== undefined && resource.parameters.query === undefined) return null;
  return outlines.query.takesObject && outlines.query.isOpen ? 'query' : null;
}

function ambiguous(name: string, locations: ParameterLocation[]): string {
  const where = locations.map((location) => `the ${location}`).join(' and ');
  return `${nameOf(name)}: is a parameter of ${where}; say which: {"${locations[0]}": {${JSON.stringify(name)}: ...}}`;
}

/** Otherwise the location itself would become a member of the body. */
function mixed(location: string, names: string[]): string {
  const strays = names.filter((name) => !isLocation(name));
  return `data.${location}: is not a parameter; data that is given by place has no members but path, query, headers and body: put ${listNames(strays)} into one of them`;
}

function unknownParameter({ outlines, resource }: CompiledResource, name: string): string {
  const known = LOCATIONS.flatMap((location) => [...outlines[location].names]);
  const isBodyWhole = takesBody(resource) && !outlines.body.takesObject;
  const otherwise = isBodyWhole ? '; the body is not an object: write {"body": ...}' : '';
  return `${nameOf(name)}: unknown parameter${suggestion(name, known, otherwise)}`;
}

function nameOf(name: string): string {
  return formatPath(['data', name]);
}

function withoutNulls(parameters: Data): Data {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));
}
