import { filterPaths } from '../../question/filters/filters.ts';
import { metricPaths } from '../../question/state/table-rows.ts';
import { asksMetric, type CardForm, type Members } from './state.ts';

/** The request paths of the fields that the builder shows, to place the server's messages at them. */
export function shownPaths(form: CardForm): string[] {
  return ['title', 'tabId', 'agentId', ...configPaths(form).map((path) => `config.${path}`)];
}

const FORMAT = ['compareTo', 'format.prefix', 'format.suffix', 'format.decimals', 'format.percent'];

function configPaths({ cardType, members }: CardForm): string[] {
  const { filters, numerator, steps, thresholds } = members;
  const common = [...filterPaths('filters', filters), 'dateFrom', 'dateTo', 'segment', 'timezone'];
  const isMetric = asksMetric(cardType, members);
  const measure = isMetric ? ['metric'] : ['eventName', 'aggregation', 'propertyKey'];
  switch (cardType) {
    case 'number':
      return [...common, ...measure, ...FORMAT];
    case 'rate': {
      const counted = ['numerator.eventName', ...filterPaths('numerator.filters', numerator.filters)];
      return [...common, ...(isMetric ? measure : ['eventName', ...counted]), ...FORMAT];
    }
    case 'line':
    case 'bar':
      return [...common, ...measure, 'groupBy', 'limit', 'dateGrouping'];
    case 'pie':
      return [...common, ...measure, 'groupBy', 'limit'];
    case 'gauge': {
      const zones = thresholds.flatMap((_, index) => [`thresholds[${index}].value`, `thresholds[${index}].label`]);
      return [...common, ...measure, 'min', 'max', 'target', 'thresholds', ...zones];
    }
    case 'table':
      return [...common, 'eventName', 'limit', ...tablePaths(members)];
    case 'funnel': {
      const ofSteps = steps.flatMap((step, index) =>
        ['eventName', 'label', ...filterPaths('filters', step.filters)].map((path) => `steps[${index}].${path}`),
      );
      return [...common, 'steps', 'by', 'windowSeconds', ...ofSteps];
    }
  }
}

function tablePaths({ mode, metrics }: Members): string[] {
  if (mode === 'retention') return [];
  const own = ['mode', 'sortBy', 'sortOrder'];
  if (mode === 'raw') return [...own, 'columns'];
  return [...own, 'groupBy', 'metrics', ...metricPaths('metrics', metrics)];
}
