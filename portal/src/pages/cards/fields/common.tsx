import { FilterRows } from '../../../question/filter-rows.tsx';
import { RangeField } from '../../../question/range-field.tsx';
import { TimeZoneField } from '../../../question/time-zone-field.tsx';
import { TextField } from '../../../ui/field.tsx';
import type { PartProps } from './context.ts';

export function FiltersPart({ members, agent, messages, onChange }: PartProps) {
  return (
    <FilterRows
      rows={members.filters}
      eventName={members.eventName || (members.steps[0]?.eventName ?? '')}
      agent={agent}
      messages={messages}
      path="config.filters"
      onChange={(filters) => onChange({ filters })}
    />
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

export function FormatPart({ members, messages, onChange }: PartProps) {
  const { format } = members;
  const change = (changes: Partial<typeof format>) => onChange({ format: { ...format, ...changes } });
  return (
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
  );
}
