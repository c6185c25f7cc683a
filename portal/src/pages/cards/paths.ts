import { filterPaths } from '../../question/filters/filters.ts';
import { metricPaths } from '../../question/state/table-rows.ts';
import { asksMetric, type CardForm, type Members } from './state.ts';

/** The request paths of the fields that the builder shows, to place the server's messages at them. */
export function shownPaths({ cardType, members }: CardForm): string[] {
  const { filters, numerator, steps, thresholds } = members;
  const range = [...filterPaths('config.filters', filters), 'config.dateFrom', 'config.dateTo'];
  const common = [...range, 'config.segment', 'config.timezone', 'title', 'tabId', 'agentId'];
  const isMetric = asksMetric(cardType, members);
  const measure = isMetric ? ['config.metric'] : ['config.eventName', 'config.aggregation', 'config.propertyKey'];
  const formatted = ['prefix', 'suffix', 'decimals', 'percent'].map((name) => `config.format.${name}`);
  const format = ['config.compareTo', ...formatted];
  switch (cardType) {
    case 'number':
      return [...common, ...measure, ...format];
    case 'rate':
      if (isMetric) return [...common, ...measure, ...format];
      return [
        ...common,
        'config.eventName',
        'config.numerator.eventName',
        ...filterPaths('config.numerator.filters', numerator.filters),
        ...format,
      ];
    case 'line':
    case 'bar':
      return [...common, ...measure, 'config.groupBy', 'config.limit', 'config.dateGrouping'];
    case 'pie':
      return [...common, ...measure, 'config.groupBy', 'config.limit'];
    case 'gauge':
      return [
        ...common,
        ...measure,
        'config.min',
        'config.max',
        'config.target',
        'config.thresholds',
        ...thresholds.map((_, index) => `config.thresholds[${index}].value`),
        ...thresholds.map((_, index) => `config.thresholds[${index}].label`),
      ];
    case 'table':
      return [...common, 'config.eventName', 'config.limit', ...tablePaths(members).map((name) => `config.${name}`)];
    case 'funnel':
      return [
        ...common,
        'config.steps',
        'config.by',
        'config.windowSeconds',
        ...steps.flatMap((step, index) => {
          const path = `config.steps[${index}]`;
          return [`${path}.eventName`, `${path}.label`, ...filterPaths(`${path}.filters`, step.filters)];
        }),
      ];
  }
}

function tablePaths({ mode, metrics }: Members): string[] {
  if (mode === 'retention') return [];
  const own = ['mode', 'sortBy', 'sortOrder'];
  if (mode === 'raw') return [...own, 'columns'];
  return [...own, 'groupBy', 'metrics', ...metricPaths('metrics', metrics)];
}
