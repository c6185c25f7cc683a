import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ZONE } from '../../../ui/time.tsx';
import { type CsvTable, type Mapping, ROLES, type Role } from './mapping.ts';
import { type DecodedText, ENCODINGS, type EncodingName } from './text.ts';
import { TIME_FORMATS } from './times.ts';

interface ColumnsTableProps {
  table: CsvTable;
  decoded: DecodedText;
  mapping: Mapping;
  onChange(changed: Partial<Mapping>): void;
  onEncoding(encoding: EncodingName): void;
}

function zonesOf(workspace: string) {
  const zones = [
    { value: workspace, label: t('The workspace ({zone})', { zone: workspace }) },
    { value: ZONE, label: t('This computer ({zone})', { zone: ZONE }) },
    { value: 'UTC', label: 'UTC' },
  ];
  return zones.filter(({ value }, index) => zones.findIndex((zone) => zone.value === value) === index);
}

/** The roles of the columns, which can be changed, above the first rows. */
export function ColumnsTable({ table, decoded, mapping, onChange, onEncoding }: ColumnsTableProps) {
  const { tenant } = useSession();
  const { roles } = mapping;
  const time = table.columns[roles.indexOf('timestamp')];
  const formats = TIME_FORMATS.filter(({ value }) => time?.formats.includes(value));
  const setRole = (changed: number, role: Role) => {
    const next = roles.map((one, index) => (index === changed ? role : one));
    const [format] = role === 'timestamp' ? table.columns[changed]!.formats : [];
    onChange({ roles: next, ...(format !== undefined && { timeFormat: format }) });
  };
  return (
    <div className="stack">
      <div className="fields">
        {!roles.includes('eventName') && (
          <TextField
            label={t('Name of the events')}
            value={mapping.eventName}
            required
            maxLength={200}
            help={t('For every row; or choose a column as the event name.')}
            onChange={({ currentTarget }) => onChange({ eventName: currentTarget.value })}
          />
        )}
        {formats.length > 1 && (
          <SelectField
            label={t('Times are written')}
            value={mapping.timeFormat}
            options={formats}
            onChoose={(timeFormat) => onChange({ timeFormat })}
          />
        )}
        {time && (
          <SelectField
            label={t('Times without a zone are of')}
            value={mapping.timeZone}
            options={zonesOf(tenant.timezone)}
            help={t('Charts count days in the zone of the workspace.')}
            onChoose={(timeZone) => onChange({ timeZone })}
          />
        )}
        {decoded.isGuess && (
          <SelectField
            label={t('Encoding')}
            value={decoded.encoding}
            options={ENCODINGS}
            help={t('A guess: change it if letters below are wrong.')}
            onChoose={onEncoding}
          />
        )}
      </div>
      {!time && <p className="muted small">{t('No column is the time: the events get the time of the import.')}</p>}
      <section className="scroll csv-columns" aria-label={t('Columns and first rows')} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {table.columns.map(({ name, reason }, index) => (
                <th key={name} scope="col">
                  <SelectField
                    label={name}
                    value={roles[index]!}
                    options={ROLES}
                    help={reason}
                    onChoose={(role) => setRole(index, role)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.first.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file never change
              <tr key={index}>
                {row.map((value, column) => (
                  <td key={table.columns[column]!.name} className={roles[column] === 'none' ? 'muted' : undefined}>
                    {value.length > 80 ? `${value.slice(0, 80)}…` : value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
