import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  value: string;
  tabs: readonly { value: string; label: string }[];
  onChoose(value: string): void;
  /** After the tabs: what can be done with them. */
  beside?: ReactNode;
  /** Of the chosen tab. */
  children: ReactNode;
}

export function Tabs({ label, value, tabs, onChoose, beside, children }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={onChoose} className="stack">
      <div className="tab-row">
        <Base.List className="tabs" aria-label={label}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className="tab">
              {tab.label}
            </Base.Tab>
          ))}
        </Base.List>
        {beside}
      </div>
      <Base.Panel value={value}>{children}</Base.Panel>
    </Base.Root>
  );
}
