import type { FieldMessages } from '../../../api/field-messages.ts';
import { EventField } from '../../../question/fields/known-fields.tsx';
import { RangeField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { bind } from '../../../ui/bind.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { type ConditionRow, conditionPath, MAX_CONDITIONS, newCondition } from './state.ts';

interface ConditionRowsProps {
  rows: readonly ConditionRow[];
  messages: FieldMessages;
  onChange(rows: ConditionRow[]): void;
}

/** The conditions, at least one. */
export function ConditionRows({ rows, messages, onChange }: ConditionRowsProps) {
  return (
    <>
      <p className="field-help">
        All conditions must hold. The events of all agents decide, whatever agent a question is about.
      </p>
      {messages.at('conditions') && <p className="field-error">{messages.at('conditions')}</p>}
      {rows.map((row, index) => {
        const name = `condition ${index + 1}`;
        const path = conditionPath(index);
        const change = (members: Partial<ConditionRow>) => onChange(rows.with(index, { ...row, ...members }));
        const field = bind({ form: row, messages, onChange: change }, `${path}.`);
        return (
          <fieldset key={row.id} className="question-part stack" aria-label={`Condition ${index + 1}`}>
            <div className="name-and-button">
              <EventField label={`Event of ${name}`} {...field.value('eventName')} agent={undefined} />
              {rows.length > 1 && (
                <IconButton
                  icon="close"
                  label={`Remove ${name}`}
                  onClick={() => onChange(rows.filter((one) => one !== row))}
                />
              )}
            </div>
            <FilterRows
              of={name}
              rows={row.filters}
              eventName={row.eventName}
              agent={undefined}
              messages={messages}
              path={`${path}.filters`}
              onChange={(filters) => change({ filters })}
            />
            <div className="fields">
              <TextField
                label={`Minimum events of ${name}`}
                inputMode="numeric"
                placeholder="1"
                {...field.text('atLeast')}
              />
              <RangeField
                of={name}
                value={row.range}
                byDefault="All time"
                errors={{ dateFrom: messages.at(`${path}.dateFrom`), dateTo: messages.at(`${path}.dateTo`) }}
                onChange={(range) => change({ range })}
              />
            </div>
          </fieldset>
        );
      })}
      {rows.length < MAX_CONDITIONS && (
        <div>
          <Button look="quiet" icon="add" onClick={() => onChange([...rows, newCondition()])}>
            Add condition
          </Button>
        </div>
      )}
    </>
  );
}
