import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isInterfaceType, isObjectType } from 'graphql';
import { projectRoot } from '../../src/platform/root.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';
import { hitsOf } from '../support/hits.js';
import { ELSEWHERE, PLACES } from './places.js';

/** Each place is tried with one attack of so many, each with others; at night with all. */
const SHARE = Number(process.env.NIGHTLY ? 1 : (process.env.ATTACKS_SHARE ?? 16));

describe('Markup in texts of people', () => {
  const service = useService();
  const browser = useBrowser();

  for (const [place, [name, { attacks: all, shown }]] of Object.entries(PLACES).entries())
    it(`never runs from ${name}`, async () => {
      const attacks = all.filter((_, i) => i % SHARE === place % SHARE);
      const attackOf = new Map<string, string>();
      for (const attack of attacks)
        for (const html of await shown(service(), attack)) if (html) attackOf.set(html, attack);
      const hits = await hitsOf(browser(), [...attackOf.keys()], { own: service().url });
      const ran = [...attackOf].filter((_, index) => hits[index]);
      expect(ran.map(([html, attack]) => ({ attack, html: html.slice(-3_000) }))).toStrictEqual([]);
      expect(attackOf.size).toBeGreaterThan(attacks.length / 4);
    });
});

describe('The list of places where texts become HTML', () => {
  const listed = (kind: 'fields' | 'files') =>
    [...Object.values(PLACES), ELSEWHERE].flatMap((place) => [...(place[kind] ?? [])]).sort();

  it('has every field of the graph that says that it is HTML', () => {
    const schema = buildSchema(readFileSync(join(projectRoot, 'schema/schema.graphql'), 'utf8'));
    const fields = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter(({ description }) => /\bHTML\b(?! in it)/.test(description ?? ''))
          .map((field) => `${type.name}.${field.name}`),
      );
    expect(listed('fields')).toStrictEqual(fields.sort());
  });

  it('has every file that writes HTML', () => {
    const source = join(projectRoot, 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
      .filter((file) =>
        /<!doctype html|new Markup\(|srcdoc=|<iframe |(?<![/\w])html`/.test(
          readFileSync(join(source, file), 'utf8').replaceAll(/\/\*\*.*?\*\//gs, ''),
        ),
      );
    expect(listed('files')).toStrictEqual(files.sort());
  });
});
