import { isObject } from '../../json-schema/values.ts';
import { invalid, RuntimeError } from '../../shared/errors.ts';
import { listNames } from '../../shared/names.ts';
import { suggestion } from '../../shared/nearest-name.ts';
import { formatPath } from '../../shared/parse.ts';
import { type CompiledResource, messagesOf, PLACES, type Place, type PlacedData, takesBody } from './validation.ts';

const MAX_MESSAGES = 20;
const IN_WORDS: Record<Place, string> = {
  path: 'the path',
  query: 'the query',
  headers: 'the headers',
  body: 'the body',
};

/**
 * Decides where each parameter is sent. Data is structured if all its members are `path`, `query`,
 * `headers` or `body`, else flat. Throws `invalid` when it is ambiguous.
 */
export function placeData(
  compiled: CompiledResource,
  data: Record<string, unknown>,
  optionHeaders: Record<string, string> = {},
): PlacedData {
  const names = Object.keys(data);
  if (names.length === 0 || !names.every(isPlace)) {
    return placeFlat(compiled, data, optionHeaders);
  }
  const namesakes = names.filter((name) => placesOf(compiled, name).length > 0);
  const isShaped = ['path', 'query', 'headers'].every((place) => isObject(data[place] ?? {}));
  // With all three present, also empty, data is structured, whatever its parameters are called.
  const isSaid = isShaped && ['path', 'query', 'headers'].every((place) => data[place] !== undefined);
  if (namesakes.length === 0 || isSaid) return placeStructured(compiled, data, optionHeaders);
  if (!isShaped) return placeFlat(compiled, data, optionHeaders);
  return placeEither(compiled, data, optionHeaders, namesakes);
}

/** The one valid reading of ambiguous data. */
function placeEither(
  compiled: CompiledResource,
  data: Record<string, unknown>,
  optionHeaders: Record<string, string>,
  namesakes: string[],
): PlacedData {
  const structured = placeStructured(compiled, data, optionHeaders);
  const flat = attempt(() => placeFlat(compiled, data, optionHeaders));
  if (flat === null || messagesOf(compiled, flat).length > 0) return structured;
  if (messagesOf(compiled, structured).length > 0) return flat;
  throw invalid(
    `data: may be flat or structured, for ${namesakes.join(' and ')} is the name of a parameter, too; write it structured with path, query and headers all there, {} where one is empty`,
  );
}

function attempt(place: () => PlacedData): PlacedData | null {
  try {
    return place();
  } catch (error) {
    if (error instanceof RuntimeError) return null;
    throw error;
  }
}

function placeStructured(
  { resource }: CompiledResource,
  data: Record<string, unknown>,
  optionHeaders: Record<string, string>,
): PlacedData {
  const messages: string[] = [];
  const parametersOf = (place: Place): Record<string, unknown> => {
    const parameters = data[place] ?? {};
    if (isObject(parameters)) return withoutNulls(parameters);
    messages.push(`data.${place}: must be an object of parameters by name`);
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

function placeFlat(
  compiled: CompiledResource,
  data: Record<string, unknown>,
  optionHeaders: Record<string, string>,
): PlacedData {
  const entries: Record<Place, [string, unknown][]> = { path: [], query: [], headers: [], body: [] };
  const messages: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const places = placesOf(compiled, name);
    const place = places.length > 0 ? places[0]! : placeOfUnknown(compiled);
    if (places.length > 1) messages.push(ambiguous(name, places));
    else if (places.length === 0 && isPlace(name) && isObject(value) && !Object.keys(data).every(isPlace)) {
      messages.push(mixed(name, Object.keys(data)));
    } else if (place === null) messages.push(unknownParameter(compiled, name));
    // Text has no null: such parameters are left out.
    else if (value !== null || place === 'body') entries[place].push([name, value]);
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

function isPlace(name: string): boolean {
  return (PLACES as readonly string[]).includes(name);
}

/** The places with a parameter of this name. */
function placesOf({ outlines, resource }: CompiledResource, name: string): Place[] {
  return PLACES.filter((place) => {
    if (place === 'body' && !(takesBody(resource) && outlines.body.takesObject)) return false;
    return outlines[place].names.has(place === 'headers' ? name.toLowerCase() : name);
  });
}

/**
 * Headers are never guessed; neither is the query of a resource that describes a body only: a
 * misspelled member of the body would be sent there unnoticed.
 */
function placeOfUnknown({ outlines, resource }: CompiledResource): Place | null {
  if (takesBody(resource) && outlines.body.takesObject && outlines.body.isOpen) return 'body';
  if (resource.parameters.body !== undefined && resource.parameters.query === undefined) return null;
  return outlines.query.takesObject && outlines.query.isOpen ? 'query' : null;
}

function ambiguous(name: string, places: Place[]): string {
  const where = places.map((place) => IN_WORDS[place]).join(' and ');
  return `${nameOf(name)}: is a parameter of ${where}; say which: {"${places[0]}": {${JSON.stringify(name)}: ...}}`;
}

/** Otherwise the place itself would become a member of the body, unnoticed. */
function mixed(place: string, names: string[]): string {
  const strays = names.filter((name) => !isPlace(name));
  return `data.${place}: is no parameter; data that is given by place has no members but path, query, headers and body: put ${listNames(strays)} into one of them`;
}

function unknownParameter({ outlines, resource }: CompiledResource, name: string): string {
  const known = PLACES.flatMap((place) => [...outlines[place].names]);
  const isBodyWhole = takesBody(resource) && !outlines.body.takesObject;
  const otherwise = isBodyWhole ? '; the body is no object: write {"body": ...}' : '';
  return `${nameOf(name)}: unknown parameter${suggestion(name, known, otherwise)}`;
}

function nameOf(name: string): string {
  return formatPath(['data', name]);
}

/** Text has no null: such parameters are left out. */
function withoutNulls(parameters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));
}
