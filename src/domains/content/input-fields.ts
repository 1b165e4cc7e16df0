import { Extensions } from 'type-graphql';

/** The options of an input field that may be absent or null. */
export const optional = (description: string) => ({ nullable: true, description }) as const;

/** The value that stands for an absent one. It is shown to callers, never written into an input. */
export const Default = (value: unknown) => Extensions({ default: value });
