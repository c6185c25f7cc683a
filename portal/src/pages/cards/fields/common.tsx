import { SegmentField } from '../../../question/fields/known-fields.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { asksMetric } from '../state.ts';
import { bindMembers, type PartProps } from './context.ts';

export function FiltersPart(props: PartProps) {
  const { members, asked, agent, messages, onChange } = props;
  return (
    <>
      <FilterRows
        rows={members.filters}
        eventName={asked}
        agent={agent}
        messages={messages}
        path="config.filters"
        onChange={(filters) => onChange({ filters })}
      />
      <SegmentField {...bindMembers(props).value('segment')} />
    </>
  );
}

export function RangePart(props: PartProps) {
  const { cardType, members, messages, onChange } = props;
  return (
    <>
      <RangeField
        value={members.range}
        byDefault="Last 30 days (default)"
        errors={{ dateFrom: messages.at('config.dateFrom'), dateTo: messages.at('config.dateTo') }}
        onChange={(range) => onChange({ range })}
      />
      {(cardType === 'number' || cardType === 'rate') && (
        <label className="check">
          <input
            type="checkbox"
            checked={members.compare}
            onChange={(event) => onChange({ compare: event.currentTarget.checked })}
          />
          Compare with the period before
        </label>
      )}
      {messages.at('config.compareTo') && <p className="field-error">{messages.at('config.compareTo')}</p>}
      <TimeZoneField {...bindMembers(props).value('timezone')} />
    </>
  );
}

const PERCENT = [
  { value: '', label: 'Rates only' },
  { value: 'yes', label: 'Yes: 0.25 is 25%' },
  { value: 'no', label: 'No' },
] as const;

export function FormatPart({ cardType, members, messages, onChange }: PartProps) {
  const { format } = members;
  const change = (changes: Partial<typeof format>) => onChange({ format: { ...format, ...changes } });
  const field = bind({ form: format, messages, onChange: change }, 'config.format.');
  return (
    <>
      {asksMetric(cardType, members) && <p className="field-help">Empty fields take the format of the metric.</p>}
      <div className="three">
        <TextField label="Before it" placeholder="€" {...field.text('prefix')} />
        <TextField label="After it" placeholder=" min" {...field.text('suffix')} />
        <TextField label="Decimals" inputMode="numeric" placeholder="As needed" {...field.text('decimals')} />
      </div>
      <SelectField
        label="In percent"
        {...field.choice('percent')}
        options={
          asksMetric(cardType, members) ? [{ value: '', label: 'As the metric says' }, ...PERCENT.slice(1)] : PERCENT
        }
      />
    </>
  );
}
