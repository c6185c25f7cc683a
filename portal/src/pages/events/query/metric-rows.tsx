import { AggregationField } from '../../../question/aggregation-field.tsx';
import type { FieldMessages } from '../../../question/messages.ts';
import type { Aggregation } from '../../../question/words.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { aliasOf, type MetricRow, newMetric } from './state.ts';

const MAX_METRICS = 20;

interface MetricRowsProps {
  rows: readonly MetricRow[];
  eventName: string;
  agent: string | undefined;
  messages: FieldMessages;
  onChange(rows: MetricRow[]): void;
}

/** The metrics of each group, one column each. */
export function MetricRows({ rows, eventName, agent, messages, onChange }: MetricRowsProps) {
  return (
    <fieldset className="rows">
      <legend>Metrics</legend>
      {messages.at('metrics') && <p className="field-error">{messages.at('metrics')}</p>}
      {rows.map((row, index) => {
        const errorAt = (member: string) => messages.at(`metrics[${index}].${member}`);
        const change = (members: Partial<MetricRow>) => onChange(rows.with(index, { ...row, ...members }));
        return (
          <fieldset key={row.id} className="question-part stack tight" aria-label={`Metric ${index + 1}`}>
            <AggregationField<Aggregation>
              label={`Metric ${index + 1}`}
              aggregation={row.aggregation}
              propertyKey={row.propertyKey}
              eventName={eventName}
              agent={agent}
              errors={{ aggregation: errorAt('aggregation'), propertyKey: errorAt('propertyKey') }}
              onChange={change}
            />
            <TextField
              label="Name of its column"
              placeholder={aliasOf(row.aggregation, row.propertyKey)}
              value={row.alias}
              error={errorAt('alias')}
              onChange={(event) => change({ alias: event.currentTarget.value })}
            />
            <Button
              look="quiet"
              icon="close"
              aria-label={`Remove metric ${index + 1}`}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            >
              Remove
            </Button>
          </fieldset>
        );
      })}
      {rows.length < MAX_METRICS && (
        <Button look="quiet" icon="add" onClick={() => onChange([...rows, newMetric()])}>
          Add metric
        </Button>
      )}
    </fieldset>
  );
}
