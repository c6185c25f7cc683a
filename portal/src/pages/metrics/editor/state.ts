import type { Schemas } from '../../../api/schemas.ts';
import { nameOfTitle, numberOf } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';
import { filtersOf, nextId } from '../../../question/filters/filters.ts';
import { type MeasureForm, measureFormOf, measureOf, measurePaths } from '../../../question/state/asked.ts';
import { isFormula } from '../words.ts';

type Metric = Schemas['Metric'];
type MetricVersion = Omit<Metric, 'latestVersion' | 'approvedVersion'>;
type CreateMetric = Schemas['CreateMetric'];

export interface PartRow extends MeasureForm {
  /** React's key of the row. */
  id: number;
  name: string;
}

/** A metric as the form holds it. Numbers are texts, so that half a number can be typed. */
export interface MetricForm {
  name: string;
  title: string;
  description: string;
  /** Separated by commas. */
  synonyms: string;
  owner: string;
  unit: string;
  format: { prefix: string; suffix: string; decimals: string; percent: boolean };
  goodDirection: Metric['goodDirection'];
  kind: 'measure' | 'formula';
  measure: MeasureForm;
  expression: string;
  parts: PartRow[];
}

const PART_NAME = /^[a-z][a-z0-9_]{0,49}$/;

export function newPart(measure: MeasureForm = measureFormOf({})): PartRow {
  return { ...measure, id: nextId(), name: '' };
}

export function emptyForm(): MetricForm {
  return {
    name: '',
    title: '',
    description: '',
    synonyms: '',
    owner: '',
    unit: '',
    format: { prefix: '', suffix: '', decimals: '', percent: false },
    goodDirection: 'none',
    kind: 'measure',
    measure: measureFormOf({}),
    expression: '',
    parts: [newPart(), newPart()],
  };
}

export function formOf(metric: MetricVersion): MetricForm {
  const { format = {}, formula, synonyms = [] } = metric;
  const ofFormula = isFormula(formula)
    ? {
        kind: 'formula' as const,
        expression: formula.expression,
        parts: Object.entries(formula.parts).map(([name, part]) => ({
          ...newPart(measureFormOf({ ...part })),
          name,
        })),
      }
    : { kind: 'measure' as const, measure: measureFormOf({ ...formula }) };
  return {
    ...emptyForm(),
    ...ofFormula,
    name: metric.name,
    title: metric.title,
    description: metric.description ?? '',
    synonyms: synonyms.join(', '),
    owner: metric.owner ?? '',
    unit: metric.unit ?? '',
    format: {
      prefix: format.prefix ?? '',
      suffix: format.suffix ?? '',
      decimals: format.decimals === undefined ? '' : String(format.decimals),
      percent: format.percent ?? false,
    },
    goodDirection: metric.goodDirection,
  };
}

/** The request for a new metric. */
export function creationOf(form: MetricForm): CreateMetric {
  const optional = Object.entries(optionalsOf(form)).filter(([, value]) => value !== null);
  return { name: form.name.trim() || nameOfTitle(form.title), ...requiredOf(form), ...Object.fromEntries(optional) };
}

/** The request for the next version: null removes a member. */
export function changeOf(form: MetricForm): Schemas['UpdateMetric'] {
  return { ...requiredOf(form), ...optionalsOf(form) };
}

function requiredOf(form: MetricForm): Pick<CreateMetric, 'title' | 'goodDirection' | 'formula'> {
  return { title: form.title.trim(), goodDirection: form.goodDirection, formula: formulaOf(form) };
}

function optionalsOf({ description, synonyms, owner, unit, format }: MetricForm) {
  const texts = synonyms
    .split(/[,\n]/)
    .map((text) => text.trim())
    .filter(Boolean);
  return {
    description: description.trim() || null,
    synonyms: texts.length === 0 ? null : texts,
    owner: owner.trim() || null,
    unit: unit.trim() || null,
    format: formatOf(format),
  };
}

function formatOf({ prefix, suffix, decimals, percent }: MetricForm['format']) {
  const given = {
    ...(prefix !== '' && { prefix }),
    ...(suffix !== '' && { suffix }),
    ...(decimals.trim() !== '' && { decimals: numberOf(decimals) }),
    ...(percent && { percent }),
  };
  return Object.keys(given).length === 0 ? null : given;
}

function formulaOf({ kind, measure, expression, parts }: MetricForm): CreateMetric['formula'] {
  if (kind === 'measure') return measureOf(measure);
  return {
    expression: expression.trim(),
    parts: Object.fromEntries(parts.map((part) => [part.name.trim(), partOf(part)])),
  };
}

function partOf({ eventName, aggregation, propertyKey, filters }: PartRow) {
  const given = filtersOf(filters);
  return {
    eventName,
    // A part is no rate: the form offers none.
    aggregation: aggregation === 'rate' ? ('count' as const) : aggregation,
    ...(propertyKey !== '' && { propertyKey }),
    ...(given && { filters: given }),
  };
}

/** The path of a part's name, which is no member of the request. */
export function namePath(index: number): string {
  return `parts[${index}].name`;
}

/** The path of a part's fields in the request. */
export function partPath({ name }: PartRow): string {
  return `formula.parts.${name.trim()}`;
}

/** The paths of the fields in the request, to place the server's messages at them. */
export function shownPaths(form: MetricForm): string[] {
  const own = ['name', 'title', 'description', 'synonyms', 'owner', 'unit', 'goodDirection'];
  const format = ['prefix', 'suffix', 'decimals', 'percent'].map((member) => `format.${member}`);
  if (form.kind === 'measure') return [...own, ...format, ...measurePaths(form.measure, 'formula.')];
  const parts = form.parts.flatMap((part, index) => [
    namePath(index),
    partPath(part),
    ...measurePaths(part, `${partPath(part)}.`),
  ]);
  return [...own, ...format, 'formula.expression', 'formula.parts', ...parts];
}

/** Names of parts are checked here: the request has the parts by name, so that the server cannot say where one is wrong. */
export function refusalOf({ kind, parts }: MetricForm): Schemas['Error'] | null {
  if (kind === 'measure') return null;
  const names = parts.map(({ name }) => name.trim());
  const message = names.flatMap((name, index) => {
    const fault = faultOf(name, names.slice(0, index));
    return fault === null ? [] : [`${namePath(index)}: ${fault}`];
  });
  return message.length === 0 ? null : { statusCode: 400, error: 'Bad Request', message };
}

function faultOf(name: string, taken: readonly string[]): string | null {
  if (name === '') return t('name it, to use it in the expression');
  if (!PART_NAME.test(name)) return t('must begin with a letter; a-z, 0-9 and _, at most 50');
  return taken.includes(name) ? t('another part has this name') : null;
}
