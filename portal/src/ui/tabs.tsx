import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  value: string;
  tabs: readonly { value: string; label: string }[];
  onChoose(value: string): void;
  /** Of the chosen tab. */
  children: ReactNode;
}

export function Tabs({ label, value, tabs, onChoose, children }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={onChoose} className="stack">
      <Base.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value}>{children}</Base.Panel>
    </Base.Root>
  );
}
