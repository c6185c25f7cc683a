import { t } from '../../language/index.ts';
import { type Bound, bind, within } from '../../ui/bind.ts';
import { FilterRows } from '../filters/filter-rows.tsx';
import type { MeasureForm } from '../state/asked.ts';
import { AggregationField } from './aggregation-field.tsx';
import { EventField } from './known-fields.tsx';

const RATE = [{ value: 'rate', label: t('Rate') }] as const;

interface MeasureFieldsProps extends Bound<MeasureForm> {
  agent: string | undefined;
  /** The path of a message begins with it: "formula." in a metric. */
  path?: string;
  /** Tells the fields of several measures apart: "part 2". */
  of?: string;
  /** False where the API takes no rate. */
  withRate?: boolean;
}

/** The fields of an event, its aggregation and its filters; of a rate also the events that count. */
export function MeasureFields({ form, agent, messages, path = '', of, withRate = true, onChange }: MeasureFieldsProps) {
  const { eventName, aggregation } = form;
  const field = bind({ form, messages, onChange }, path);
  return (
    <>
      <EventField
        label={of ? t('Event of {part}', { part: of }) : t('Event')}
        {...field.value('eventName')}
        agent={agent}
      />
      <AggregationField<MeasureForm['aggregation']>
        {...(of !== undefined && { label: t('Computation of {part}', { part: of }) })}
        aggregation={aggregation}
        propertyKey={form.propertyKey}
        eventName={eventName}
        agent={agent}
        others={withRate ? RATE : []}
        {...{ messages, path, onChange }}
      />
      {aggregation === 'rate' && <Numerator {...{ form, agent, messages, path, onChange }} />}
      <FilterRows of={of} {...field.part('filters')} eventName={eventName} agent={agent} />
    </>
  );
}

/** The fields of a rate's numerator. */
function Numerator({ form, agent, messages, path, onChange }: MeasureFieldsProps & { path: string }) {
  const { numerator, eventName } = form;
  const field = bind(within({ form, messages, onChange }, 'numerator'), `${path}numerator.`);
  return (
    <fieldset className="question-part stack tight" aria-label={t('Events that count')}>
      <p className="label">{t('Events that count')}</p>
      <p className="field-help">
        {t('The share of the events above that match these filters, or the ratio of another event.')}
      </p>
      {messages.at(`${path}numerator`) && <p className="field-error">{messages.at(`${path}numerator`)}</p>}
      <EventField label={t('Other event')} {...field.value('eventName')} agent={agent} />
      <FilterRows
        of={t('the events that count')}
        {...field.part('filters')}
        eventName={numerator.eventName || eventName}
        agent={agent}
      />
    </fieldset>
  );
}
