/**
 * Returns why a condition is not met, as a short sentence without secrets or addresses; undefined
 * when it is met.
 */
export type Condition = () => string | undefined | Promise<string | undefined>;

/**
 * Decides whether this process should get requests, by named conditions that other modules add. GET
 * /readyz answers 200 while all are met, else 503 with the reasons by name. What fails for some requests
 * alone is a warning: with all processes out of rotation the others would fail as well.
 */
export class Readiness {
  readonly #conditions = new Map<string, Condition>();
  readonly #advisory = new Map<string, Condition>();

  /**
   * Adds a condition, or replaces the one of the same name. It is checked at every request of
   * /readyz, so it must be cheap and end within a second.
   */
  require(name: string, condition: Condition): void {
    this.#conditions.set(name, condition);
  }

  /** Adds a condition, as `require` does, that is only warned of while it is not met. */
  advise(name: string, condition: Condition): void {
    this.#advisory.set(name, condition);
  }

  /** Removes a condition. */
  drop(name: string): void {
    this.#conditions.delete(name);
    this.#advisory.delete(name);
  }

  /**
   * Returns the reasons why the process is not ready, by name; an empty record when it is ready. A
   * condition that throws counts as not met.
   */
  reasons(): Promise<Record<string, string>> {
    return unmet(this.#conditions);
  }

  /** Returns the names of all conditions. */
  names(): string[] {
    return [...this.#conditions.keys()];
  }

  /** Returns what is warned of, by name. */
  warnings(): Promise<Record<string, string>> {
    return unmet(this.#advisory);
  }
}

async function unmet(conditions: ReadonlyMap<string, Condition>): Promise<Record<string, string>> {
  const asked = [...conditions].map(
    async ([name, condition]) => [name, await ask(condition)] as const,
  );
  const responses = await Promise.all(asked);
  return Object.fromEntries(
    responses.filter((response): response is [string, string] => response[1] !== undefined),
  );
}

async function ask(condition: Condition): Promise<string | undefined> {
  try {
    return await condition();
  } catch {
    return 'It could not be found out.';
  }
}
