import type { Table } from '../term.js';
import { mark, note } from './entries.js';

const SITES: Table = [
  mark('onto', 'into|onto|to|on|in|around|under|over|inside|at|into the|to the|on the|in the'),
  mark('side', 'each|both|left|right|affected|upper|lower|the|a|one|either|clean|dry|alternate'),
  mark('side', 'entire|whole|infected|painful|sore|your|irritated|lt|rt|involved|outer|inner|same'),
  mark('body', 'eye|eyes|ear|ears|nostril|nostrils|nose|skin|area|areas|scalp|face|tongue'),
  mark('body', 'arm|arms|leg|legs|thigh|thighs|abdomen|stomach|belly|knee|knees|foot|feet|hand'),
  mark('body', 'hands|back|chest|shoulder|shoulders|neck|cheek|mouth|throat|vagina|rectum|lip'),
  mark('body', 'lips|elbow|elbows|hip|hips|wound|wounds|rash|toe|toes|toenail|nail|nails|gums'),
  mark('body', 'hair|body|site|lung|lungs|airways|muscle|buttock|upper arm|outer thigh|gum'),
  mark('body', 'eyelid|eyelids|lower eyelid|joint|joints|ankle|ankles|wrist|wrists|forehead'),
  mark('body', 'lesion|lesions'),
  [{ is: 'note', part: 'site', eye: true }, 'ou|os|au|ad'],
  note(
    'site',
    'under the tongue|under tongue|beneath the tongue|under the skin|between cheek and gum',
  ),
];

const ROUTES: Table = [
  note('route', 'by mouth|orally|oral|via mouth|through the mouth|po|oral route|by oral route'),
  note('route', 'sublingually|subcutaneously|subcutaneous|topically|rectally|vaginally|nasally'),
  note('route', 'intramuscularly|intramuscular|intravenously|intravenous|intranasally|buccally'),
  note('route', 'intranasal|transdermally|by inhalation|via inhaler|via nebulizer|via nebuliser'),
  note('route', 'by nebulizer|by nebuliser|with spacer|via spacer|per vagina|by rectum|inhaled'),
  note('route', 'by injection|as an injection|via feeding tube|through feeding tube|via g tube'),
];

const ADVICES: Table = [
  note('advice', 'only|regularly|please|gently|slowly|whole|sparingly|liberally|thinly|well'),
  note('advice', 'with water|with a glass of water|with a full glass of water|with food|with milk'),
  note(
    'advice',
    'after food|before food|after eating|before eating|on an empty stomach|with juice',
  ),
  note('advice', 'on empty stomach|empty stomach|with or without food|with plenty of water'),
  note('advice', 'with a meal|with or after food|with or just after food'),
  note('advice', 'with or just after a meal|with or after a meal|with meal|with snack'),
  note(
    'advice',
    'with a snack|with food or milk|with milk or food|without food|with a drink of water',
  ),
  note('advice', 'at the same time|at the same time each day|at the same time every day'),
  note(
    'advice',
    'same time each day|at same time each day|same time every day|at around the same time',
  ),
  note('advice', 'on the same day each week|on the same day every week|the same day each week'),
  note('advice', 'on the same day of the week|same day each week|on the same day of each week'),
  note('advice', 'thin layer|a thin layer|a thin film|thin film|small amount|a small amount'),
  note('advice', 'a pea sized amount|pea sized amount|thin layer of|generously|a layer|layer'),
  note('advice', 'do not crush|do not chew|do not crush or chew|swallow whole|swallowed whole'),
  note('advice', 'do not stop|shake well|shake well and|shake well before use'),
  note('advice', 'rinse mouth after use|rinse mouth'),
  note('advice', 'total|in liquid|in a glass of water|in a little water|with 8 ounces of water'),
  note('advice', 'dissolved in water|mixed with water|in water|in juice'),
  note(
    'advice',
    'rinse mouth after each use|with 8 oz of water|in 8 oz of water|in 8 ounces of water',
  ),
  note('advice', 'a thin layer of|in 4 oz of water|with 4 oz of water|in 4 to 8 oz of water'),
  note('advice', 'thereafter|afterwards|from then on|ongoing|as a maintenance dose'),
  note('advice', 'around the clock|atc|round the clock|day and night|half an hour before food'),
  note(
    'advice',
    '30 minutes before food|30 mins before food|1 hour before food|an hour before food',
  ),
  note('advice', 'one hour before food|30 to 60 minutes before food|30-60 minutes before food'),
  note('advice', 'at least 30 minutes before food|2 hours after food|two hours after food'),
  note('advice', 'avoid grapefruit|avoid alcohol|may cause drowsiness|long term|for life'),
];

const REASONS =
  'n/v|pain|moderate pain|severe pain|mild pain|back pain|chest pain|joint pain|nerve pain|fever|' +
  'headache|headaches|migraine|migraines|nausea|vomiting|sleep|insomnia|anxiety|depression|' +
  'mood|blood pressure|high blood pressure|hypertension|bp|htn|heart|heart failure|heart rate|' +
  'cholesterol|high cholesterol|hyperlipidemia|diabetes|blood sugar|sugar|type 2 diabetes|dm|' +
  'thyroid|hypothyroidism|asthma|copd|shortness of breath|wheezing|wheeze|sob|breathing|cough|' +
  'cold|congestion|allergies|allergy|itching|itch|itchiness|rash|hives|eczema|psoriasis|acne|' +
  'infection|uti|heartburn|acid reflux|reflux|gerd|indigestion|stomach|stomach acid|ulcer|' +
  'constipation|diarrhea|diarrhoea|gas|bloating|spasm|spasms|muscle spasm|muscle spasms|cramps|' +
  'swelling|edema|fluid|fluid retention|inflammation|arthritis|gout|osteoporosis|bones|anemia|' +
  'iron deficiency|vitamin deficiency|seizures|seizure|epilepsy|tremor|parkinsons|adhd|' +
  'blood clots|blood thinner|stroke prevention|afib|atrial fibrillation|angina|glaucoma|dry eyes|' +
  'dry eye|eye pressure|hot flashes|prostate|bph|urinary symptoms|overactive bladder|bladder|' +
  'birth control|contraception|agitation|restlessness|dizziness|vertigo|motion sickness|memory|' +
  'smoking cessation|weight loss|neuropathy|restless legs|pneumonia|sinusitis|sore throat|' +
  'bronchitis|thrush|yeast infection|cold sores|shingles|hair loss|dry skin|supplement|health';

const MEDICINES =
  'aspirin|paracetamol|acetaminophen|ibuprofen|naproxen|metformin|levothyroxine|lisinopril|' +
  'ramipril|amlodipine|atorvastatin|simvastatin|rosuvastatin|omeprazole|pantoprazole|' +
  'lansoprazole|esomeprazole|amoxicillin|prednisone|prednisolone|warfarin|apixaban|' +
  'rivaroxaban|clopidogrel|furosemide|bisoprolol|metoprolol|atenolol|carvedilol|losartan|' +
  'valsartan|candesartan|hydrochlorothiazide|spironolactone|digoxin|gabapentin|pregabalin|' +
  'sertraline|citalopram|escitalopram|fluoxetine|venlafaxine|mirtazapine|quetiapine|' +
  'risperidone|olanzapine|lithium|lamotrigine|levetiracetam|methotrexate|folic acid|' +
  'vitamin d|vitamin d3|vitamin c|vitamin b12|iron|calcium|salbutamol|albuterol|insulin|' +
  'tramadol|codeine|morphine|oxycodone|cetirizine|loratadine|montelukast|doxycycline|' +
  'azithromycin|ciprofloxacin|allopurinol|colchicine|tamsulosin|finasteride|melatonin|cream|' +
  'ointment|gel|lotion|shampoo|inhaler|eye drops|ear drops|nasal spray|solution|suspension|' +
  'syrup|liquid|powder|extended release|er|xr|sr|delayed release|dr|ec|mr|' +
  'enteric coated|slow release';

/** The English words of what does not change when it rings: sites, routes, advice, reasons. */
export const ENGLISH_NOTES: Table = [
  ...SITES,
  ...ROUTES,
  ...ADVICES,
  note('indication', REASONS),
  note('medicine', MEDICINES),
  note('limit', 'max daily dose|maximum daily dose|mdd'),
];
