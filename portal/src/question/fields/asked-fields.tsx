import { eventOf } from '../../api/metric-reference.ts';
import { useKnownMetric } from '../../api/metrics.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { type Bound, bind } from '../../ui/bind.ts';
import { SelectField } from '../../ui/field.tsx';
import { FilterRows } from '../filters/filter-rows.tsx';
import type { AskedForm } from '../state/asked.ts';
import type { Subject } from '../words/words.ts';
import { SegmentField } from './known-fields.tsx';
import { MeasureFields } from './measure-fields.tsx';
import { MetricField } from './metric-field.tsx';

/** The event whose properties suit filters and groups; empty while none is known. */
export function useAskedEvent({ subject, metric, eventName }: AskedForm): string {
  const known = useKnownMetric(subject === 'metric' ? metric : '');
  if (subject === 'event') return eventName;
  return known ? eventOf(known) : '';
}

interface AskedFieldsProps extends Bound<AskedForm> {
  /** The result of `useAskedEvent`. */
  eventName: string;
  agent: string | undefined;
  /** Precedes the members in the paths of messages: "question.". */
  path?: string;
}

/** The fields of a metric or of a measure of events, the filters and the segment. */
export function AskedFields(props: AskedFieldsProps) {
  const { form, messages, onChange } = props;
  return (
    <>
      <SubjectField subject={form.subject} metric={form.metric} error={messages.at('metric')} onChange={onChange} />
      <MeasuredFields {...props} />
    </>
  );
}

/** The fields of a measure of events, or the filters of a metric, and the segment. */
export function MeasuredFields({ eventName, agent, path = '', ...part }: AskedFieldsProps) {
  const field = bind(part, path);
  return (
    <>
      {part.form.subject === 'event' ? (
        <MeasureFields {...part} agent={agent} path={path} />
      ) : (
        <FilterRows {...field.part('filters')} eventName={eventName} agent={agent} />
      )}
      <SegmentField {...field.value('segment')} />
    </>
  );
}

const SUBJECTS = [
  { value: 'event', label: t('Events') },
  { value: 'metric', label: t('A metric') },
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
        label={t('Measure')}
        value={subject}
        options={SUBJECTS}
        onChoose={(chosen) => onChange({ subject: chosen, metric })}
      />
      {subject === 'metric' && (
        <MetricField value={metric} error={error} onChange={(reference) => onChange({ subject, metric: reference })} />
      )}
    </>
  );
}
