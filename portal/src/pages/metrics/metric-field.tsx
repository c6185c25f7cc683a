import type { ReactNode } from 'react';
import { useKnownMetrics } from '../../question/known-metrics.ts';
import { metricSuggestions } from '../../question/metric-words.ts';
import { Combobox } from '../../ui/combobox.tsx';

interface MetricNameFieldProps {
  label: string;
  help: ReactNode;
  value: string;
  error?: string | undefined;
  onChange(name: string): void;
}

/** The name of a metric, without a version. */
export function MetricNameField({ label, help, value, error, onChange }: MetricNameFieldProps) {
  const known = useKnownMetrics() ?? [];
  return (
    <Combobox
      label={label}
      help={help}
      value={value}
      suggestions={metricSuggestions(known)}
      placeholder="Choose a metric"
      error={error}
      onChange={onChange}
    />
  );
}
