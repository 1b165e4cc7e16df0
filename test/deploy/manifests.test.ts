import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.js';
import { VARIABLES } from '../../src/config/variables.js';
import { projectRoot } from '../../src/platform/root.js';

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: documents of others' formats
type Document = any;

/** Reads all documents of a file of YAML. A key that stands twice is an error. */
function documentsOf(path: string): Document[] {
  return parseAllDocuments(textOf(path), { merge: true, uniqueKeys: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toStrictEqual([]);
    return document.toJS();
  });
}

const { version } = JSON.parse(textOf('package.json'));
const isVariable = (name: string) => name in VARIABLES;

describe('The Dockerfile', () => {
  const lines = textOf('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
    .map((line) => line.split(/\s+(.*)/s).slice(0, 2) as [string, string]);
  const last = lines.map(([word]) => word).lastIndexOf('FROM');
  const final = lines.slice(last);

  it('has known instructions alone, in two stages of one version of Node', () => {
    const known =
      'ARG FROM LABEL WORKDIR COPY RUN ENV VOLUME EXPOSE USER STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD';
    for (const [word] of lines) expect(known.split(' ')).toContain(word);
    const stages = lines.filter(([word]) => word === 'FROM').map(([, image]) => image);
    expect(stages).toStrictEqual([
      `node:\${NODE}-bookworm-slim AS build`,
      `node:\${NODE}-bookworm-slim`,
    ]);
  });

  it('ends as a user with a number, who owns nothing but the data, and is checked', () => {
    expect(final.find(([word]) => word === 'USER')?.[1]).toBe('10001:10001');
    expect(final.filter(([word]) => word === 'COPY')).toStrictEqual([
      ['COPY', '--from=build /tree /app'],
    ]);
    expect(final.find(([word]) => word === 'HEALTHCHECK')?.[1]).toContain('/healthz');
    const entry = JSON.parse(final.find(([word]) => word === 'ENTRYPOINT')?.[1] ?? '');
    const { scripts } = JSON.parse(textOf('package.json'));
    expect(scripts.start).toContain(entry.join(' '));
  });

  it('sets variables that the service reads', () => {
    const [, set = ''] = final.find(([word]) => word === 'ENV') ?? [];
    const variables = Object.fromEntries(set.split(' ').map((each) => each.split('=')));
    expect(Object.keys(variables).every(isVariable)).toBe(true);
    expect(() => readConfig(variables)).not.toThrow();
  });

  it('gets what the build needs, and nothing that was made elsewhere', () => {
    const ignored = textOf('.dockerignore').split('\n');
    for (const name of ['.git', '**/node_modules', 'dist-service', 'data'])
      expect(ignored).toContain(name);
    for (const name of ['src', 'scripts', 'prisma', 'schema', 'playground', 'package-lock.json'])
      expect(ignored).not.toContain(name);
  });
});

describe('compose.yaml', () => {
  const [{ services, volumes }] = documentsOf('deploy/compose.yaml') as [Document];

  it('runs two processes after the migrations, read-only, behind a proxy that they trust', () => {
    for (const name of ['one', 'two']) {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(services[name].depends_on.migrate.condition).toBe('service_completed_successfully');
      expect(services[name].environment.TRUSTED_PROXIES).toBe('1');
      expect(services[name].environment, 'scrapes from elsewhere').toHaveProperty('METRICS_TOKEN');
    }
    expect(services.migrate.command).toStrictEqual(['dist-service/tools.js', 'migrate']);
    expect(services.caddy.volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro');
    expect(textOf('deploy/Caddyfile')).toContain('{$PROCESSES:one:3000 two:3000}');
  });

  it('passes all other variables from a file, which the guide names and Git ignores', () => {
    for (const name of ['migrate', 'backup', 'one', 'two'])
      expect(services[name].env_file).toStrictEqual([{ path: 'care.env', required: false }]);
    expect(textOf('docs/operating.md')).toContain('`deploy/care.env`');
    expect(textOf('.gitignore').split('\n')).toContain('deploy/*.env');
  });

  it('makes a backup when it is asked to, encrypted or not at all', () => {
    const { profiles, command, volumes: mounted } = services.backup;
    expect([profiles, mounted]).toStrictEqual([
      ['backup'],
      ['data:/data', '/var/backups/care:/backups'],
    ]);
    expect(command).toStrictEqual([
      'dist-service/tools.js',
      'backup',
      '/backups',
      '--recipient',
      `\${BACKUP_RECIPIENT-}`,
    ]);
    expect(services.backup.environment).toStrictEqual(services.one.environment);
  });

  it('names services, volumes and variables that there are', () => {
    for (const service of Object.values(services) as Document[]) {
      for (const name of Object.keys(service.depends_on ?? {}))
        expect(services).toHaveProperty(name);
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(':');
        if (source.startsWith('.'))
          expect(existsSync(join(projectRoot, 'deploy', source))).toBe(true);
        else if (!source.startsWith('/')) expect(volumes).toHaveProperty([source]);
      }
    }
    const { environment } = services.one;
    expect(Object.keys(environment).filter((name) => !isVariable(name))).toStrictEqual([]);
    const filled = Object.entries(environment as Record<string, string>).map(([name, value]) => [
      name,
      value.replace(/\$\{DOMAIN:\?\}/, 'care.example').replaceAll(/\$\{\w+:\?\}/g, 'x'.repeat(40)),
    ]);
    expect(() => readConfig(Object.fromEntries(filled))).not.toThrow();
  });
});

/**
 * Returns what the compiler says of documents as literals of the types that Kubernetes publishes: a field
 * that it does not know, a value of another type, a field that is missing.
 */
function mistakesIn(documents: readonly Document[]): string {
  const lines = documents.map(
    (document) => `(${JSON.stringify(document)}) satisfies ${typeOf(document)};`,
  );
  const folder = mkdtempSync(join(projectRoot, '.cache', 'manifests-'));
  try {
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--types',
      '',
      '--module',
      'nodenext',
    ];
    const args = [compiler, ...options, '--ignoreConfig', join(folder, 'manifests.ts')];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The type of a document, which is in core/v1 where its version is v1. */
const typeOf = ({ apiVersion, kind }: Document) =>
  `import('kubernetes-types/${apiVersion.includes('/') ? '' : 'core/'}${apiVersion}.js').${kind}`;

describe('The manifests for Kubernetes', () => {
  const documents = ['care', 'migrate', 'backup'].flatMap((name) =>
    documentsOf(`deploy/kubernetes/${name}.yaml`),
  );
  const ofKind = (kind: string): Document => documents.find((document) => document.kind === kind);
  const pods = [
    ofKind('Deployment'),
    ofKind('Job'),
    { spec: ofKind('CronJob').spec.jobTemplate.spec },
  ].map(({ spec }) => spec.template.spec);

  it('fit the types of its interface', () => {
    expect(mistakesIn(documents)).toBe('');
    const deployment = ofKind('Deployment');
    for (const [wrong, mistake] of [
      [{ replica: 2 }, /replica\W+ does not exist in type 'DeploymentSpec'/],
      [{ replicas: '2' }, /Type 'string' is not assignable to type 'number'/],
      [{ selector: undefined }, /Property 'selector' is missing in type/],
    ] as const)
      expect(mistakesIn([{ ...deployment, spec: { ...deployment.spec, ...wrong } }])).toMatch(
        mistake,
      );
  });

  it('have the kinds that an upgrade without a gap needs', () => {
    expect(documents.map(({ kind }) => kind).sort()).toStrictEqual([
      'ConfigMap',
      'CronJob',
      'Deployment',
      'Job',
      'PersistentVolumeClaim',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
    ]);
    const { spec } = ofKind('Deployment');
    expect(spec.replicas).toBeGreaterThan(ofKind('PodDisruptionBudget').spec.minAvailable);
    expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    const labels = spec.template.metadata.labels;
    for (const selector of [
      spec.selector.matchLabels,
      ofKind('Service').spec.selector,
      ofKind('PodDisruptionBudget').spec.selector.matchLabels,
    ])
      expect(selector).toStrictEqual(labels);
  });

  it('run as no administrator, read-only, with no capability, with this version', () => {
    for (const { securityContext, containers, volumes } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      for (const container of containers) {
        expect(container.image).toBe(`care:${version}`);
        expect(container.securityContext).toStrictEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const named = volumes.map(({ name }: Document) => name);
        for (const { name } of container.volumeMounts) expect(named).toContain(name);
      }
    }
  });

  it('back up each night what the service has, one at a time, encrypted', () => {
    const { schedule, concurrencyPolicy } = ofKind('CronJob').spec;
    expect([schedule, concurrencyPolicy]).toStrictEqual(['0 3 * * *', 'Forbid']);
    const [service, migrate, backup] = pods;
    // The first time it runs before there is what comes with the service.
    const [{ configMapRef: settings }, secret] = migrate.containers[0].envFrom;
    expect([{ configMapRef: { name: settings.name } }, secret]).toStrictEqual(
      service.containers[0].envFrom,
    );
    expect(settings.optional).toBe(true);
    expect(backup.containers[0].args).toStrictEqual([
      'dist-service/tools.js',
      'backup',
      '/backups',
      '--recipient',
      'age1…',
    ]);
    expect(backup.containers[0].envFrom).toStrictEqual(service.containers[0].envFrom);
    const { podFailurePolicy } = ofKind('CronJob').spec.jobTemplate.spec;
    expect(podFailurePolicy.rules, 'one that was written is not made again').toStrictEqual([
      { action: 'FailJob', onExitCodes: { containerName: 'backup', operator: 'In', values: [1] } },
    ]);
    const [data] = service.volumes;
    expect(backup.volumes).toContainEqual(data);
    const claims = documents.filter(({ kind }) => kind === 'PersistentVolumeClaim');
    const names = claims.map(({ metadata }) => metadata.name);
    for (const { persistentVolumeClaim } of [...service.volumes, ...backup.volumes])
      if (persistentVolumeClaim) expect(names).toContain(persistentVolumeClaim.claimName);
  });

  it('ask addresses that the service has, and wait for its end', () => {
    const [{ containers, terminationGracePeriodSeconds }] = pods;
    const [{ startupProbe, readinessProbe, livenessProbe }] = containers;
    const paths = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toStrictEqual(['/readyz', '/readyz', '/healthz']);
    const [{ lifecycle }] = containers;
    const [program, , script] = lifecycle.preStop.exec.command;
    const milliseconds = Number(/^setTimeout\(\(\) => \{\}, (\d+)\)$/.exec(script)?.[1]);
    expect([program, milliseconds], 'proxies look elsewhere first').toStrictEqual(['node', 5_000]);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(10 + milliseconds / 1_000);
    expect(Object.keys(ofKind('ConfigMap').data).every(isVariable)).toBe(true);
    const secret = textOf('deploy/kubernetes/care.yaml').matchAll(/--from-literal=(\w+)=/g);
    const names = [...secret].map(([, name]) => name ?? '');
    expect(names.filter((name) => !isVariable(name))).toStrictEqual([]);
    expect(names, 'scrapes from elsewhere').toContain('METRICS_TOKEN');
  });
});

/** Returns the settings of a unit, by name; those that stand several times have several values. */
function settingsOf(lines: readonly string[]): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const line of lines) {
    const [name = '', value = ''] = line.split(/=(.*)/s);
    settings.set(name, [...(settings.get(name) ?? []), value]);
  }
  return settings;
}

describe('The units for systemd', () => {
  const unitOf = (name: string) =>
    settingsOf(
      textOf(`deploy/systemd/${name}.service`)
        .split('\n')
        .filter((line) => /^\w+=/.test(line)),
    );

  it('have instances that differ from the one unit by their address alone', () => {
    const [one, several] = [unitOf('care'), unitOf('care@')];
    const names = [...new Set([...one.keys(), ...several.keys()])];
    const differ = names.filter((name) => String(one.get(name)) !== String(several.get(name)));
    expect(differ.sort()).toStrictEqual([
      'Description',
      'Environment',
      'ExecStartPost',
      'TimeoutStartSec',
    ]);
    expect(several.get('Environment')).toStrictEqual([
      `${one.get('Environment')} HOST=127.0.0.1 PORT=300%i`,
    ]);
  });

  it('have migrations with the user, the folders and the sandbox of the service', () => {
    const [service, migrations] = [unitOf('care'), unitOf('care-migrate')];
    const names = [...new Set([...service.keys(), ...migrations.keys()])];
    const differ = names.filter(
      (name) => String(service.get(name)) !== String(migrations.get(name)),
    );
    expect(differ.sort()).toStrictEqual([
      'After',
      'Description',
      'ExecStart',
      'Restart',
      'RestartSec',
      'Type',
      'WantedBy',
    ]);
  });

  it('have instances whose start ends when they are ready', async () => {
    const answers = [503, 503, 200];
    const server = createServer((_request, response) => {
      response.writeHead(answers.shift() ?? 500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [, script = ''] =
      / --eval "(.+)"$/.exec(unitOf('care@').get('ExecStartPost')?.[0] ?? '') ?? [];
    const args = ['--input-type=module', '--eval', script.replace('300%i', String(port))];
    await promisify(execFile)(process.execPath, args);
    server.close();
    expect([script.includes('/readyz'), answers]).toStrictEqual([true, []]);
  });

  it('are what a command of operators runs as: with the same variables, folders and user', () => {
    const folder = mkdtempSync(join(tmpdir(), 'care-tool-'));
    try {
      const fake = '#!/bin/sh\nprintf "%s\\n" "$@"\n';
      writeFileSync(join(folder, 'systemd-run'), fake, { mode: 0o755 });
      const { status, stdout } = spawnSync(
        join(projectRoot, 'deploy/systemd/care-tool'),
        ['account', 'password', 'Mina Maria'],
        {
          encoding: 'utf8',
          env: { PATH: `${folder}:/usr/bin:/bin`, SOURCE_PASSWORD: 'a word' },
        },
      );
      expect(status).toBe(0);
      const words = stdout.trimEnd().split('\n');
      const told = settingsOf(
        words.flatMap((word) => /^--property=(.*)/.exec(word)?.slice(1) ?? []),
      );
      const unit = unitOf('care');
      for (const name of [
        'User',
        'DynamicUser',
        'StateDirectory',
        'StateDirectoryMode',
        'UMask',
        'WorkingDirectory',
        'EnvironmentFile',
        'Environment',
      ])
        expect(told.get(name), name).toStrictEqual(
          name === 'StateDirectory' ? ['care care-backups'] : unit.get(name),
        );
      expect(unit.get('StateDirectory')).toStrictEqual(['care']);
      // The password of the source is named, and seen by nobody.
      const options = ['--quiet', '--collect', '--wait', '--pipe', '--service-type=exec'];
      options.push('--description=care-tool account', '--setenv=SOURCE_PASSWORD');
      expect(words.filter((word) => !word.startsWith('--property='))).toStrictEqual([
        ...options,
        '/usr/bin/node',
        'dist-service/tools.js',
        'account',
        'password',
        'Mina Maria',
      ]);
      expect(unit.get('ExecStart')?.[0]).toMatch(/^\/usr\/bin\/node /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['care', 'dist-service/main.js'],
    ['care@', 'dist-service/main.js'],
    ['care-migrate', 'dist-service/tools.js'],
  ])(
    'have settings with a value, and the one program that a restart waits for: %s',
    (name, program) => {
      const lines = textOf(`deploy/systemd/${name}.service`)
        .split('\n')
        .filter((line) => line && !line.startsWith('#') && !line.startsWith('['));
      for (const line of lines) expect(line).toMatch(/^[A-Z]\w+=/);
      const programs = lines.filter((line) => line.startsWith('ExecStart='));
      expect(
        programs.map((line) => line.split(' ').find((word) => word.endsWith('.js'))),
      ).toStrictEqual([program]);
      expect(existsSync(join(projectRoot, program))).toBe(true);
    },
  );
});
