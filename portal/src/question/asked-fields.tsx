import type { AskedForm } from './asked.ts';
import { FilterRows } from './filter-rows.tsx';
import { useKnownMetric } from './known-metrics.ts';
import { MeasureFields } from './measure-fields.tsx';
import type { FieldMessages } from './messages.ts';
import { eventOf } from './metric-words.ts';
import { SegmentField } from './segment-field.tsx';
import { SubjectField } from './subject-field.tsx';

/** The event whose properties suit filters and groups; empty while none is known. */
export function useAskedEvent({ subject, metric, eventName }: AskedForm): string {
  const known = useKnownMetric(subject === 'metric' ? metric : '');
  if (subject === 'event') return eventName;
  return known ? eventOf(known) : '';
}

interface AskedFieldsProps {
  form: AskedForm;
  /** That of `useAskedEvent`. */
  eventName: string;
  agent: string | undefined;
  messages: FieldMessages;
  onChange(members: Partial<AskedForm>): void;
}

/** The fields of a metric or of a measure of events, the filters and the segment. */
export function AskedFields({ form, eventName, agent, messages, onChange }: AskedFieldsProps) {
  const { subject, metric } = form;
  return (
    <>
      <SubjectField subject={subject} metric={metric} error={messages.at('metric')} onChange={onChange} />
      {subject === 'event' ? (
        <MeasureFields form={form} agent={agent} messages={messages} onChange={onChange} />
      ) : (
        <FilterRows
          rows={form.filters}
          eventName={eventName}
          agent={agent}
          messages={messages}
          onChange={(filters) => onChange({ filters })}
        />
      )}
      <SegmentField value={form.segment} error={messages.at('segment')} onChange={(segment) => onChange({ segment })} />
    </>
  );
}
