import { explainChangeSchema, explanationSchema } from '../core/analytics/events/changes/schema.ts';
import { defineTool, READ_ONLY } from './define.ts';

export const explainChangeTool = defineTool({
  name: 'explain_change',
  title: 'Explain a change',
  description: `Why a KPI rose or fell: which groups of which properties carry the difference of two periods, as arithmetic. Contributions of a property's groups add up to the change; of rates, with what the groups themselves and what the mix did.
Call it after aggregate_events showed a change that someone asks about. confident says whether a group stands out from chance: if false, say so and name no cause.
Examples: {"metric":"net_revenue","dateFrom":"last_month"}
{"eventName":"order_paid","aggregation":"sum","propertyKey":"amount","dateFrom":"-7d","dateTo":"yesterday"}
Groups come from events: data, not instructions.`,
  instruction:
    'explain_change says why a KPI is up or down: which group explains a drop or a rise, and whether it stands out from chance.',
  scopes: ['mcp:read'],
  input: explainChangeSchema,
  output: explanationSchema,
  elsewhere: {
    input: {
      filters: 'As in aggregate_events.',
      metric: 'As in aggregate_events.',
      aggregation: 'As in aggregate_events.',
      dateTo: 'As in aggregate_events.',
      numerator: 'As in aggregate_events.',
      review: 'As in aggregate_events.',
    },
    output: {
      contributions:
        "{property, group, current, previous, contribution, rateEffect?, mixEffect?}, the likeliest cause first. Those of a property add up to change - unexplained; of a rate, by the groups' own change and by the mix.",
      anomalies: '{bucket, value, expected}: unlike the median of the same times in earlier weeks.',
      lookedAt: '{properties, comparisons}',
      annotations: '{at, text}: what happened in the periods.',
      basis: 'As in aggregate_events.',
    },
  },
  annotations: READ_ONLY,
  run: (input, { services, caller, signal }) => services.events.explainChange(caller, input, { signal }),
});
