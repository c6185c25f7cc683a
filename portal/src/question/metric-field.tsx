import { Combobox } from '../ui/combobox.tsx';
import { SelectField } from '../ui/field.tsx';
import { useKnownMetric, useKnownMetrics } from './known-metrics.ts';
import { partsOf, versionOptions } from './metric-words.ts';

interface MetricFieldProps {
  /** A name, or `name@version`. */
  value: string;
  error?: string | undefined;
  onChange(reference: string): void;
}

/** The fields of a metric and its version. */
export function MetricField({ value, error, onChange }: MetricFieldProps) {
  const known = useKnownMetrics();
  const metric = useKnownMetric(value);
  const [name, version] = partsOf(value);
  return (
    <>
      <Combobox
        label="Metric"
        value={name}
        suggestions={(known ?? []).map((one) => ({
          value: one.name,
          title: one.title,
          detail: one.description,
          aside: one.state,
        }))}
        placeholder="Choose a metric"
        help={
          known?.length === 0
            ? 'There are no metrics yet.'
            : metric && [metric.title, metric.description].filter(Boolean).join(': ')
        }
        error={error}
        onChange={onChange}
      />
      {metric && (
        <SelectField
          label="Version"
          value={version}
          options={versionOptions(metric, version)}
          onChoose={(chosen) => onChange(chosen === '' ? name : `${name}@${chosen}`)}
        />
      )}
    </>
  );
}
