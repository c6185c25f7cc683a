import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Combobox } from '../../ui/combobox.tsx';
import { metricsQuery } from './metrics.ts';

interface MetricFieldProps {
  label?: string;
  help?: ReactNode;
  value: string;
  error?: string | undefined;
  onChange(metric: string): void;
}

/** The name of a metric. */
export function MetricField({ label = 'Metric', help, value, error, onChange }: MetricFieldProps) {
  const { data } = useQuery(metricsQuery());
  const known = data?.metrics.filter(({ state }) => state !== 'deprecated') ?? [];
  return (
    <Combobox
      label={label}
      help={help ?? (data?.total === 0 && 'There are no metrics yet.')}
      value={value}
      suggestions={known.map(({ name, title }) => ({ value: name, aside: title }))}
      placeholder="Choose a metric"
      error={error}
      onChange={onChange}
    />
  );
}
