import { lazy, Suspense } from 'react';
import { useSession } from '../api/use-session.ts';
import { SelectField } from '../ui/field.tsx';
import type { Subject } from './words.ts';

// Of forms that most people fill in with events.
const MetricField = lazy(async () => ({ default: (await import('./metric-field.tsx')).MetricField }));

const SUBJECTS = [
  { value: 'event', label: 'Events' },
  { value: 'metric', label: 'A metric' },
] as const;

interface SubjectFieldProps {
  subject: Subject;
  metric: string;
  error?: string | undefined;
  onChange(members: { subject: Subject; metric: string }): void;
}

/** The choice between events and a metric, and the fields of the metric. */
export function SubjectField({ subject, metric, error, onChange }: SubjectFieldProps) {
  const { can } = useSession();
  if (!can('metrics:read') && subject === 'event') return null;
  return (
    <>
      <SelectField
        label="Measure"
        value={subject}
        options={SUBJECTS}
        onChoose={(chosen) => onChange({ subject: chosen, metric })}
      />
      {subject === 'metric' && (
        <Suspense>
          <MetricField
            value={metric}
            error={error}
            onChange={(reference) => onChange({ subject, metric: reference })}
          />
        </Suspense>
      )}
    </>
  );
}
