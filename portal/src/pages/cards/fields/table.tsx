import { useProperties } from '../../../api/events.ts';
import { RETENTION } from '../../../card/words.ts';
import { TableRowsField } from '../../../question/fields/table-rows-field.tsx';
import { aliasOf } from '../../../question/state/table-rows.ts';
import { propertySuggestions } from '../../../question/words/choices.ts';
import { Combobox } from '../../../ui/combobox.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { bindMembers, type PartProps } from './context.ts';

export function TablePart(props: PartProps) {
  const { members, agent, messages, onChange } = props;
  const { mode, groupBy, metrics, eventName } = members;
  const properties = propertySuggestions(useProperties(eventName, agent), { withFields: true });
  if (mode === 'retention') {
    return (
      <>
        <p className="notice">{RETENTION}. What counts as a return, and its periods, are changed in the card’s JSON.</p>
        <RowLimit {...props} />
      </>
    );
  }
  const isRaw = mode === 'raw';
  const field = bindMembers(props);
  const aliases = metrics.length === 0 ? ['count'] : metrics.map(aliasOf);
  const sortable = isRaw ? properties : [...groupBy.filter(Boolean), ...aliases].map((value) => ({ value }));
  return (
    <>
      <TableRowsField
        rows={{ ...members, mode }}
        eventName={eventName}
        agent={agent}
        messages={messages}
        path="config."
        onMode={(chosen) => onChange({ mode: chosen, sortBy: '' })}
        onChange={onChange}
      />
      <div className="three">
        <Combobox
          label="Sort by"
          {...field.value('sortBy')}
          suggestions={sortable}
          placeholder={isRaw ? 'Newest first' : 'First metric'}
        />
        <SelectField
          label="Order"
          {...field.choice('sortOrder')}
          options={[
            { value: '', label: 'Usual' },
            { value: 'desc', label: 'Largest first' },
            { value: 'asc', label: 'Smallest first' },
          ]}
        />
        <RowLimit {...props} />
      </div>
    </>
  );
}

function RowLimit(props: PartProps) {
  return <TextField label="Rows to show" inputMode="numeric" placeholder="20" {...bindMembers(props).text('limit')} />;
}
