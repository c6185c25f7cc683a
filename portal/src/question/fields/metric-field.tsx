import { useState } from 'react';
import { partsOf } from '../../api/metric-reference.ts';
import { useKnownMetric, useKnownMetrics } from '../../api/metrics.ts';
import { t } from '../../language/index.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { SelectField } from '../../ui/field.tsx';
import { metricSuggestions, versionOptions } from '../words/choices.ts';

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
  const [typed, setTyped] = useState('');
  /** The server refuses half a name: until the text is a metric, none is chosen. */
  const choose = (text: string) => {
    setTyped(text);
    onChange(known === undefined || known.some((one) => one.name === text) ? text : '');
  };
  return (
    <>
      <Combobox
        label={t('Metric')}
        value={name || typed}
        suggestions={metricSuggestions(known ?? [])}
        placeholder={t('Choose a metric')}
        help={
          known?.length === 0
            ? t('There are no metrics yet.')
            : metric && [metric.title, metric.description].filter(Boolean).join(': ')
        }
        error={error}
        onChange={choose}
      />
      {metric && (
        <SelectField
          label={t('Version')}
          value={version}
          options={versionOptions(metric, version)}
          onChoose={(chosen) => onChange(chosen === '' ? name : `${name}@${chosen}`)}
        />
      )}
    </>
  );
}
