import { t } from '../../../language/index.ts';
import { AggregationField } from '../../../question/fields/aggregation-field.tsx';
import { SubjectField } from '../../../question/fields/asked-fields.tsx';
import { EventField, KeyFields } from '../../../question/fields/known-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { DATE_GROUPINGS } from '../../../question/words/words.ts';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { asksMetric } from '../state.ts';
import { bindMembers, type PartProps } from './context.ts';

/** The event or the metric. */
export function SubjectPart(props: PartProps) {
  const { cardType, members, messages, onChange } = props;
  const { subject, metric } = members;
  return (
    <>
      <SubjectField subject={subject} metric={metric} error={messages.at('config.metric')} onChange={onChange} />
      {!asksMetric(cardType, members) && <EventPart {...props} />}
    </>
  );
}

export function EventPart(props: PartProps) {
  return <EventField agent={props.agent} {...bindMembers(props).value('eventName')} />;
}

export function MeasurePart({ members, agent, messages, onChange }: PartProps) {
  const { aggregation, propertyKey, eventName } = members;
  return <AggregationField {...{ aggregation, propertyKey, eventName, agent, messages, onChange }} path="config." />;
}

/** Which events a rate counts. */
export function NumeratorPart({ members, agent, messages, onChange }: PartProps) {
  const { numerator, eventName } = members;
  const change = (changes: Partial<typeof numerator>) => onChange({ numerator: { ...numerator, ...changes } });
  const field = bind({ form: numerator, messages, onChange: change }, 'config.numerator.');
  return (
    <>
      <SelectField
        label={t('Which of them count')}
        value={numerator.isOther ? 'other' : 'same'}
        options={[
          { value: 'same', label: t('Those that match filters') },
          { value: 'other', label: t('Another event, per event of this one') },
        ]}
        onChoose={(choice) => change({ isOther: choice === 'other' })}
      />
      {numerator.isOther && <EventField label={t('Event that counts')} {...field.value('eventName')} agent={agent} />}
      <FilterRows
        of={t('what counts')}
        {...field.part('filters')}
        eventName={numerator.isOther ? numerator.eventName : eventName}
        agent={agent}
      />
    </>
  );
}

const MAX_GROUP_KEYS = 3;

export function GroupPart(props: PartProps) {
  const { cardType, asked, agent } = props;
  const { groupBy, dateGrouping } = props.members;
  const field = bindMembers(props);
  const isOverTime = cardType === 'line' || cardType === 'bar';
  const isGrouped = groupBy.some(Boolean);
  const isSeries = cardType === 'line' || (cardType === 'bar' && dateGrouping !== '');
  const withoutTime = cardType === 'bar' && isGrouped ? t('Not by time') : t('As suits the range');
  return (
    <>
      {isOverTime && (
        <SelectField
          label={t('Over time')}
          {...field.choice('dateGrouping')}
          options={[{ value: '', label: withoutTime }, ...DATE_GROUPINGS]}
        />
      )}
      <KeyFields
        label={t('Group by')}
        maximum={MAX_GROUP_KEYS}
        eventName={asked}
        agent={agent}
        {...field.value('groupBy')}
      />
      {isGrouped && (
        <TextField
          label={t('Largest groups to show')}
          help={t('The rest is “other”.')}
          placeholder={isSeries ? '10' : '20'}
          inputMode="numeric"
          {...field.text('limit')}
        />
      )}
    </>
  );
}
