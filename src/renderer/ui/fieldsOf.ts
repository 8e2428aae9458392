/** Returns what the controls of a draft's fields have in common: `<Select label="Legend" {...field("legend")} />`. */
export function fieldsOf<Draft>(draft: Draft, change: (part: Partial<Draft>) => unknown) {
  return <Key extends keyof Draft>(key: Key) => ({
    value: draft[key],
    onChange: (value: Draft[Key]): void => void change({ [key]: value } as unknown as Partial<Draft>),
  });
}
