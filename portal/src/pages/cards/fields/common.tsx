import { SegmentField } from '../../../question/fields/known-fields.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { asksMetric } from '../state.ts';
import type { PartProps } from './context.ts';

export function FiltersPart({ members, asked, agent, messages, onChange }: PartProps) {
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
      <SegmentField
        value={members.segment}
        error={messages.at('config.segment')}
        onChange={(segment) => onChange({ segment })}
      />
    </>
  );
}

export function RangePart({ cardType, members, messages, onChange }: PartProps) {
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
      <TimeZoneField
        value={members.timezone}
        error={messages.at('config.timezone')}
        onChange={(timezone) => onChange({ timezone })}
      />
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
  return (
    <>
      {asksMetric(cardType, members) && <p className="field-help">Empty fields take the format of the metric.</p>}
      <div className="three">
        <TextField
          label="Before it"
          placeholder="€"
          value={format.prefix}
          error={messages.at('config.format.prefix')}
          onChange={(event) => change({ prefix: event.currentTarget.value })}
        />
        <TextField
          label="After it"
          placeholder=" min"
          value={format.suffix}
          error={messages.at('config.format.suffix')}
          onChange={(event) => change({ suffix: event.currentTarget.value })}
        />
        <TextField
          label="Decimals"
          inputMode="numeric"
          placeholder="As needed"
          value={format.decimals}
          error={messages.at('config.format.decimals')}
          onChange={(event) => change({ decimals: event.currentTarget.value })}
        />
      </div>
      <SelectField
        label="In percent"
        value={format.percent}
        options={
          asksMetric(cardType, members) ? [{ value: '', label: 'As the metric says' }, ...PERCENT.slice(1)] : PERCENT
        }
        error={messages.at('config.format.percent')}
        onChoose={(percent) => change({ percent })}
      />
    </>
  );
}
