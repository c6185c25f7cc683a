import type { Capabilities } from '../../../../../src/core/agents/chat/capabilities.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';
import { isMembers } from '../../../transcript/conversation/messages.ts';

type ChatRequest = Schemas['ChatRequest'];

/** The fields, with texts as they are typed. */
export interface ParametersForm {
  temperature: string;
  topP: string;
  maxTokens: string;
  frequencyPenalty: string;
  presencePenalty: string;
  seed: string;
  /** A line for each. */
  stop: string;
  thinking: '' | 'adaptive' | 'enabled' | 'disabled';
  budgetTokens: string;
  format: 'text' | 'json_object' | 'json_schema';
  /** JSON. */
  schema: string;
  web_search: boolean;
  code_execution: boolean;
  legacy: boolean;
}

export const NO_PARAMETERS: ParametersForm = {
  ...{ temperature: '', topP: '', maxTokens: '', frequencyPenalty: '', presencePenalty: '', seed: '', stop: '' },
  ...{ thinking: '', budgetTokens: '', format: 'text', schema: '', web_search: false, code_execution: false },
  legacy: false,
};

export type NumberName = 'temperature' | 'topP' | 'maxTokens' | 'frequencyPenalty' | 'presencePenalty' | 'seed';

interface Range {
  least: number;
  most: number;
  isInteger?: boolean;
}

/** The ranges that the API accepts. */
export const RANGES: Record<NumberName | 'budgetTokens', Range> = {
  temperature: { least: 0, most: 2 },
  topP: { least: 0, most: 1 },
  maxTokens: { least: 1, most: 10_000_000, isInteger: true },
  frequencyPenalty: { least: -2, most: 2 },
  presencePenalty: { least: -2, most: 2 },
  seed: { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER, isInteger: true },
  budgetTokens: { least: 1, most: 1_000_000, isInteger: true },
};
const MAX_STOPS = 16;

export type ParameterProblems = Partial<Record<keyof ParametersForm, string>>;

/** Why the parameters cannot be sent, by their fields. */
export function problemsOf(form: ParametersForm): ParameterProblems {
  const problems: ParameterProblems = {};
  for (const name of Object.keys(RANGES) as (keyof typeof RANGES)[]) {
    const problem = numberProblem(form[name], RANGES[name]);
    if (problem !== null) problems[name] = problem;
  }
  if (stopsIn(form.stop).length > MAX_STOPS) problems.stop = t('At most {count} texts.', { count: MAX_STOPS });
  if (form.format === 'json_schema' && objectIn(form.schema) === null)
    problems.schema = t('Write a JSON Schema: an object.');
  return problems;
}

function numberProblem(text: string, { least, most, isInteger = false }: Range): string | null {
  const number = numberIn(text);
  if (number === undefined) return null;
  if (Number.isNaN(number)) return t('Write a number.');
  if (isInteger && !Number.isInteger(number)) return t('Write a whole number.');
  if (number >= least && number <= most) return null;
  return t('Write a number from {least} to {most}.', { least, most });
}

/** Undefined for an empty text. */
function numberIn(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text.replace(',', '.'));
}

const stopsIn = (text: string) => text.split('\n').filter((line) => line !== '');

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : null;
  } catch {
    return null;
  }
}

const TUNING = ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'seed'] as const;

/** The members of a request. Those that none of the models takes have no field, and are left out. */
export function membersOf(form: ParametersForm, models: readonly Capabilities[]): Partial<ChatRequest> {
  const isTaken = (test: (model: Capabilities) => boolean) => models.some(test);
  const members: Partial<ChatRequest> = {};
  for (const name of TUNING) {
    const value = numberIn(form[name]);
    if (value !== undefined && isTaken((model) => model[name])) members[name] = value;
  }
  const maxTokens = numberIn(form.maxTokens);
  if (maxTokens !== undefined) members.maxTokens = maxTokens;
  if (form.stop !== '') members.stop = stopsIn(form.stop);
  if (form.thinking !== '' && isTaken(({ thinking }) => thinking !== 'none')) members.thinking = thinkingOf(form);
  const { format } = form;
  if (format !== 'text' && isTaken(({ responseFormats }) => responseFormats.includes(format))) {
    members.responseFormat = formatOf(form);
  }
  const serverTools = SERVER_TOOL_NAMES.filter(
    (name) => form[name] && isTaken((one) => one.serverTools.includes(name)),
  );
  if (serverTools.length > 0) members.serverTools = serverTools;
  return members;
}

export const SERVER_TOOL_NAMES = ['web_search', 'code_execution'] as const;

function thinkingOf({ thinking, budgetTokens }: ParametersForm): NonNullable<ChatRequest['thinking']> {
  const budget = thinking === 'enabled' ? numberIn(budgetTokens) : undefined;
  return { type: thinking || 'disabled', ...(budget !== undefined && { budgetTokens: budget }) };
}

function formatOf({ format, schema }: ParametersForm): NonNullable<ChatRequest['responseFormat']> {
  if (format !== 'json_schema') return { type: format };
  return { type: format, json_schema: { name: 'answer', schema: objectIn(schema) ?? {} } };
}

/** How many parameters differ from their defaults. */
export function countSet(form: ParametersForm): number {
  const names = Object.keys(NO_PARAMETERS) as (keyof ParametersForm)[];
  return names.filter((name) => form[name] !== NO_PARAMETERS[name]).length;
}
