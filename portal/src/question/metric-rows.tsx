import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { AggregationField } from './aggregation-field.tsx';
import type { FieldMessages } from './messages.ts';
import { aliasOf, MAX_METRICS, type MetricRow, newMetric } from './metrics.ts';

interface MetricRowsProps {
  rows: readonly MetricRow[];
  eventName: string;
  agent: string | undefined;
  messages: FieldMessages;
  /** The path of the metrics in the messages: "config.metrics". */
  path: string;
  onChange(rows: MetricRow[]): void;
}

/** The metrics of each group, one column each. */
export function MetricRows({ rows, eventName, agent, messages, path, onChange }: MetricRowsProps) {
  const error = messages.at(path);
  return (
    <fieldset className="rows">
      <legend>Metrics</legend>
      {rows.length === 0 && <p className="field-help">The number of events.</p>}
      {error && <p className="field-error">{error}</p>}
      {rows.map((row, index) => {
        const errorAt = (member: string) => messages.at(`${path}[${index}].${member}`);
        const change = (members: Partial<MetricRow>) => onChange(rows.with(index, { ...row, ...members }));
        const name = `metric ${index + 1}`;
        return (
          <div key={row.id} className="metric-row">
            <AggregationField
              label={`What ${name} is`}
              aggregation={row.aggregation}
              propertyKey={row.propertyKey}
              eventName={eventName}
              agent={agent}
              errors={{ aggregation: errorAt('aggregation'), propertyKey: errorAt('propertyKey') }}
              onChange={change}
            />
            <div className="filter-value">
              <TextField
                label={`Name of ${name}`}
                placeholder={aliasOf({ ...row, alias: '' })}
                value={row.alias}
                error={errorAt('alias')}
                onChange={(event) => change({ alias: event.currentTarget.value })}
              />
              <IconButton icon="close" label={`Remove ${name}`} onClick={() => onChange(rows.toSpliced(index, 1))} />
            </div>
          </div>
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
