import type { Schemas } from '../../../../api/schemas.ts';
import { t } from '../../../../language/index.ts';
import { isMembers } from '../../../../transcript/conversation/messages.ts';
import { type JsonPath, lineOfFault, lineOfPath } from './lines.ts';

export type FunctionTool = NonNullable<Schemas['ChatRequest']['tools']>[number];

/** A mistake in the text, with its line. */
export interface TextProblem {
  line: number;
  message: string;
}

interface CheckedTools {
  /** The functions without a problem. */
  tools: FunctionTool[];
  problems: TextProblem[];
}

/** The functions of a typed list in JSON. Names that occur twice, and shapes that the API refuses, are problems. */
export function checkedTools(text: string): CheckedTools {
  if (text.trim() === '') return { tools: [], problems: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { tools: [], problems: [{ line: lineOfFault(text, error), message: t('This is not JSON.') }] };
  }
  if (!Array.isArray(value)) {
    return { tools: [], problems: [{ line: 1, message: t('Write a list of functions: [ … ].') }] };
  }
  const names = new Set<string>();
  const tools: FunctionTool[] = [];
  const problems: TextProblem[] = [];
  for (const [index, item] of value.entries()) {
    const found = problemIn(item, names);
    if (found === null) tools.push(item as FunctionTool);
    else problems.push({ line: lineOfPath(text, [index, ...found.path]), message: found.message });
  }
  return { tools, problems };
}

interface Found {
  path: JsonPath;
  message: string;
}

/** Remembers the name, if it is right. */
function problemIn(item: unknown, names: Set<string>): Found | null {
  if (!isMembers(item)) return { path: [], message: t('A function is an object with type and function.') };
  if (item.type !== 'function') return { path: ['type'], message: t('type: must be "function".') };
  const { function: called } = item;
  if (!isMembers(called)) return { path: ['function'], message: t('function: must be an object with a name.') };
  const path = ['function', 'name'];
  const { name } = called;
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) {
    return { path, message: t('name: must be 1 to 64 letters, digits, _ or -.') };
  }
  if (names.has(name)) return { path, message: t('name: {name} is taken by a function above.', { name }) };
  names.add(name);
  return memberProblem(item, ['type', 'function'], []) ?? optionalProblem(called);
}

const MEMBERS = ['name', 'description', 'parameters', 'strict'];

function optionalProblem(called: Record<string, unknown>): Found | null {
  const { description, parameters, strict } = called;
  const at = (name: string, message: string): Found => ({ path: ['function', name], message });
  if (description !== undefined && typeof description !== 'string') {
    return at('description', t('description: must be a text.'));
  }
  if (parameters !== undefined && !isMembers(parameters)) {
    return at('parameters', t('parameters: must be a JSON Schema, an object.'));
  }
  if (strict !== undefined && typeof strict !== 'boolean') return at('strict', t('strict: must be true or false.'));
  return memberProblem(called, MEMBERS, ['function']);
}

function memberProblem(value: object, known: readonly string[], path: JsonPath): Found | null {
  const name = Object.keys(value).find((one) => !known.includes(one));
  if (name === undefined) return null;
  return { path: [...path, name], message: t('{name}: is no member of a function.', { name }) };
}
