import type { Table } from '../term.js';

/** Common medicines by their international names, in English. */
const NAMES =
  'abacavir|acetaminophen|aciclovir|acyclovir|adalimumab|albuterol|alendronate|alendronic acid|' +
  'alfuzosin|allopurinol|alprazolam|amantadine|amiloride|amiodarone|amitriptyline|amlodipine|' +
  'amoxicillin|anastrozole|apixaban|aripiprazole|aspirin|atenolol|atomoxetine|atorvastatin|' +
  'azathioprine|azithromycin|baclofen|beclometasone|bendroflumethiazide|betahistine|' +
  'betamethasone|bicalutamide|biotin|bisacodyl|bisoprolol|budesonide|bumetanide|buprenorphine|' +
  'bupropion|buspirone|calcitriol|calcium|candesartan|carbamazepine|carbidopa|carbimazole|' +
  'carvedilol|cefalexin|cefuroxime|celecoxib|cephalexin|cetirizine|chlorthalidone|' +
  'cholecalciferol|cilostazol|cinacalcet|ciprofloxacin|citalopram|clarithromycin|clindamycin|' +
  'clobetasol|clonazepam|clonidine|clopidogrel|clotrimazole|clozapine|co-amoxiclav|co-codamol|' +
  'codeine|colchicine|colecalciferol|cyanocobalamin|cyclobenzaprine|cyclophosphamide|' +
  'dabigatran|dapagliflozin|dexamethasone|diazepam|diclofenac|digoxin|diltiazem|' +
  'diphenhydramine|docusate|domperidone|donepezil|doxazosin|doxycycline|dulaglutide|duloxetine|' +
  'dutasteride|edoxaban|empagliflozin|enalapril|enoxaparin|entecavir|eplerenone|ergocalciferol|' +
  'erythromycin|escitalopram|esomeprazole|estradiol|eszopiclone|ethambutol|etoricoxib|' +
  'exemestane|ezetimibe|famotidine|febuxostat|felodipine|fentanyl|ferrous fumarate|' +
  'ferrous sulfate|ferrous sulphate|fexofenadine|finasteride|fish oil|flucloxacillin|' +
  'fluconazole|fludrocortisone|fluoxetine|fluticasone|folic acid|furosemide|fusidic acid|' +
  'gabapentin|galantamine|glibenclamide|gliclazide|glimepiride|glipizide|glucosamine|glyburide|' +
  'glyceryl trinitrate|guaifenesin|haloperidol|heparin|humira|hydralazine|hydrochlorothiazide|' +
  'hydrocortisone|hydromorphone|hydroxocobalamin|hydroxychloroquine|hydroxyzine|ibandronate|' +
  'ibuprofen|imatinib|indapamide|indomethacin|insulin|insulin aspart|insulin glargine|' +
  'insulin lispro|glargine|aspart|lispro|detemir|degludec|creon|ipratropium|irbesartan|iron|' +
  'isoniazid|isosorbide mononitrate|ivabradine|ketoconazole|labetalol|lacosamide|lactulose|' +
  'lamotrigine|lansoprazole|latanoprost|leflunomide|letrozole|levetiracetam|levocetirizine|' +
  'levodopa|levofloxacin|levonorgestrel|levothyroxine|linagliptin|linezolid|liraglutide|' +
  'lisdexamfetamine|lisinopril|lithium|loperamide|loratadine|lorazepam|losartan|macrogol|' +
  'magnesium|mebeverine|medroxyprogesterone|melatonin|meloxicam|memantine|mesalamine|' +
  'mesalazine|metamizole|metformin|methotrexate|methylphenidate|metoclopramide|metolazone|' +
  'metoprolol|metronidazole|miconazole|minocycline|mirabegron|mirtazapine|modafinil|mometasone|' +
  'montelukast|morphine|moxifloxacin|multivitamin|mycophenolate|naproxen|nebivolol|nicorandil|' +
  'nifedipine|nitrofurantoin|nitroglycerine|norethisterone|nortriptyline|nystatin|ofloxacin|' +
  'olanzapine|omega 3|omeprazole|ondansetron|orlistat|oseltamivir|oxcarbazepine|oxybutynin|' +
  'oxycodone|pancreatin|pantoprazole|paracetamol|paroxetine|perindopril|phenobarbital|' +
  'phenytoin|pioglitazone|potassium chloride|pramipexole|prasugrel|pravastatin|prazosin|' +
  'prednisolone|prednisone|pregabalin|primidone|probiotic|prochlorperazine|progesterone|' +
  'promethazine|propranolol|pyridoxine|quetiapine|quinapril|rabeprazole|raloxifene|ramipril|' +
  'ranitidine|ranolazine|repaglinide|rifampicin|rifaximin|risedronate|risperidone|rivaroxaban|' +
  'rivastigmine|rizatriptan|ropinirole|rosuvastatin|sacubitril|salbutamol|saxagliptin|' +
  'semaglutide|senna|sertraline|sildenafil|simethicone|simvastatin|sitagliptin|' +
  'sodium valproate|solifenacin|sotalol|spironolactone|sucralfate|sulfasalazine|sumatriptan|' +
  'tacrolimus|tadalafil|tamoxifen|tamsulosin|telmisartan|temazepam|terbinafine|teriflunomide|' +
  'theophylline|thiamine|timolol|tiotropium|tizanidine|tolterodine|topiramate|torasemide|' +
  'tramadol|tranexamic acid|trazodone|triamcinolone|trimethoprim|trospium|ursodeoxycholic acid|' +
  'valaciclovir|valacyclovir|valproate|valsartan|vardenafil|venlafaxine|vitamin b12|vitamin b6|' +
  'vitamin c|vitamin d|vitamin d3|vitamin k|warfarin|zinc|zolmitriptan|zolpidem|zopiclone';

/** Names of other languages, and brands of high-alert medicines. */
const OTHERS =
  'abasaglar|acenocoumarol|actrapid|amoxicilina|apidra|basaglar|bromazepam|cefaclor|cefixime|' +
  'chloramphenicol|chlordiazepoxide|clexane|coumadine|dalteparin|denosumab|desloratadine|' +
  'dexketoprofen|dipyrone|eliquis|euthyrox|ferrous gluconate|fiasp|gtn|humalog|humulin|' +
  'insulatard|insulina asparta|insulina basal|insulina degludec|insulina detemir|' +
  'insulina glargina|insulina lispro|insulina nph|insulina regular|insulina rápida|' +
  'insuline glargine|insuline lente|insuline rapide|l-thyroxin|lantus|lantus solostar|levemir|' +
  'levothyrox|levotiroxina|lovenox|marcumar|metotrexato|mixtard|morfina|mtx|novalgin|' +
  'novo rapid|novolog|novorapid|nph|phenoxymethylpenicillin|phenprocoumon|previscan|sintrom|' +
  'toujeo|toujeo solostar|tresiba|varfarina|xarelto';

/** A name with the endings that it has in other languages: omeprazole, omeprazol. */
function spellings(name: string): string[] {
  // A hyphen between words is left out of what is read.
  if (name.includes('-')) return [name, name.replaceAll('-', ' ')];
  if (name.includes(' ')) return [name];
  if (name.endsWith('in')) return [name, `${name}a`, `${name}e`];
  if (!name.endsWith('e')) return [name];
  const stem = name.slice(0, -1);
  return [name, stem, `${stem}a`, `${stem}o`];
}

/** Names of medicines, as in a direction. */
export const MEDICINES: Table = [
  [
    { is: 'note', part: 'medicine', named: true },
    `${NAMES}|${OTHERS}`.split('|').flatMap(spellings).join('|'),
  ],
];
