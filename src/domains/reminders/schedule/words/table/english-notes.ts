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
  mark('body', 'lesion|lesions|nare|nares|aa|groin|armpit|armpits|underarms|palms|soles'),
  mark('body', 'temple|ribs|bottom|penis|vulva|genitals|anus|gluteal|abdominal wall|finger'),
  mark('body', 'fingers|fingernail|fingernails|eyelashes|beard|trunk|skin folds|spots|patches'),
  mark('body', 'plaques|warts|wart|scar|stye|sores|sore|bites|blister|blisters|burn'),
  mark('body', 'patches of eczema|eczema patches|conjunctival sac|fatty tissue|deltoid'),
  mark('body', 'thigh muscle|tooth|teeth|sinuses|nappy area|diaper area|bladder|tube'),
  mark('body', 'infected toe nails|toe nails|ear canal|canal|region|part|parts|surface'),
  mark('body', 'surfaces|hairline|breast|breasts|flank|heel|heels|navel'),
  mark('side', 'itchy|hairless|clear|unbroken|non hairy|inflamed|swollen|red|dry clean'),
  mark('side', 'clean and dry|different|new|cleansed|washed|damp|wet|bare|fat|fatty|intact'),
  mark('side', 'flaky|scaly|middle|lateral|top|bottom|front|opposite|bad|good|unaffected|flat'),
  mark('side', 'fleshy|sensitive|each of the|both of the'),
  [{ is: 'note', part: 'site', eye: true }, 'ou|os|au|ad|as'],
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
  note('route', 'by nasal route|via nasal route|by each nare route|via peg tube|via ng tube'),
  note('route', 'via peg|via ng|via feeding tube|per peg|per ng tube|by nebulization'),
  note('route', 'by nebulisation|via nebulization|via nebulisation|via neb|by neb|nebulized'),
  note('route', 'nebulised|s/c|s / c|sub q|sub cut|subcutaneous route'),
  note('route', 'by subcutaneous injection|via subcutaneous injection|subcutaneous injection'),
  note('route', 'by intramuscular injection|intramuscular injection|i v|by ophthalmic route'),
  note('route', 'ophthalmic|otic|ophthalmically|by inhalation route|by topical route'),
  note('route', 'by transdermal route|transdermal|by vaginal route|vaginal|by rectal route'),
  note('route', 'by sublingual route|buccal|inhalation|via aerochamber|with aerochamber'),
  note('route', 'through a spacer|using a spacer|with a spacer|using spacer|per tube|via tube'),
  note('route', 'by tube|via gastrostomy tube|via gtube|via j tube|under the skin|per ng'),
  note('route', 'orally via tube|in mouth|per mouth'),
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
  note('advice', 'do not chew or crush|do not crush chew or break|do not crush, chew or break'),
  note('advice', 'do not crush or split|do not split|do not crush or break|do not cut'),
  note('advice', "do not chew crush or split|don't chew|don't crush|do not stop suddenly"),
  note('advice', 'do not stop taking|do not stop abruptly|do not skip doses|do not lie down'),
  note('advice', 'do not double dose|rinse mouth after|rinse mouth afterwards'),
  note('advice', 'rinse mouth after using|rinse mouth after each use'),
  note('advice', 'rinse mouth with water after use|rinse mouth with water after each use'),
  note('advice', 'and rinse mouth|gargle after use|rinse and spit after use|rinse and spit'),
  note('advice', 'rinse after use|and rinse mouth after use|rinse your mouth after use'),
  note('advice', 'wash hands after use|wash hands before use|wash off after use|wash off'),
  note('advice', 'rotate sites|rotate injection sites|rotate site|rotate injection site'),
  note('advice', 'rotating sites|rotate the injection site|rotating injection sites'),
  note('advice', 'on the same day|same day|same day every week|on same day each week'),
  note('advice', 'the same day every week|on the same day each month'),
  note('advice', 'on the same day every month|on same day of each month'),
  note('advice', 'the same day each month|on same day|on the same date each month'),
  note('advice', 'at the same time daily|at same time|at same time daily|same time daily'),
  note('advice', 'at the same time of day|same time of day|at a regular time'),
  note('advice', 'at around the same time each day|at approximately the same time each day'),
  note('advice', 'at about the same time each day|about the same time each day'),
  note('advice', 'with a large glass of water|followed by a glass of water'),
  note('advice', 'while standing or sitting|sitting or standing|sit upright for 30 minutes'),
  note('advice', 'stay upright for 30 minutes|remain upright for 30 minutes'),
  note('advice', 'do not lie down for 30 minutes|do not lie down for 30 minutes after'),
  note('advice', 'do not lie down for 30 minutes after taking'),
  note('advice', 'sit or stand upright for 30 minutes|with or without a meal'),
  note('advice', 'with or without meals|with main meal|with your main meal|with largest meal'),
  note('advice', 'with the largest meal of the day|with heaviest meal'),
  note('advice', 'with the first meal of the day|without regard to meals|regardless of meals'),
  note('advice', 'regardless of food|with fatty food|with a fatty meal|with a light snack'),
  note('advice', 'with light snack|with food to reduce stomach upset'),
  note('advice', 'with food to avoid stomach upset|preferably with food|preferably after food'),
  note('advice', 'preferably on an empty stomach|preferably|always|daily dose'),
  note('advice', 'as maintenance|maintenance|maintenance dose|lifelong|indefinitely|long-term'),
  note('advice', 'continuously|without a break|without interruption|without stopping'),
  note('advice', 'uninterrupted|do not miss a dose|continue|continuing|ongoing treatment'),
  note('advice', 'for long term use|on a regular basis|regular basis|on a long term basis'),
  note('advice', 'until further notice|clinic administered|by nurse|by the nurse'),
  note('advice', 'nurse to administer|given by nurse|by carer|carer to administer'),
  note('advice', 'self administered|self inject|self injected|supervised'),
  note('advice', 'chew before swallowing|chewed|to be chewed|chew well|chew thoroughly'),
  note('advice', 'chew or swallow|swallow|sucked|whole with water|whole with a glass of water'),
  note('advice', 'whole with plenty of water|swallow whole with water'),
  note('advice', 'swallow whole with a glass of water|swallow whole with plenty of water'),
  note('advice', 'may be taken with food|can be taken with food|may take with food'),
  note('advice', 'may take with or without food|can be taken with or without food'),
  note('advice', 'take with or without food|wait 5 minutes between drops'),
  note('advice', 'wait 5 minutes between each drop|wait 5 minutes between different drops'),
  note('advice', 'shake before use|shake well before using|shake bottle before use'),
  note('advice', 'shake inhaler before use|keep refrigerated|keep in fridge|store in fridge'),
  note('advice', 'refrigerate|discard after use|avoid dairy|avoid antacids|avoid milk'),
  note('advice', 'avoid sun|avoid sun exposure|avoid sunlight|do not drive'),
  note('advice', 'do not drink alcohol|no alcohol|avoid grapefruit juice'),
  note('advice', 'this medicine may make you sleepy|may make you drowsy|may cause drowsiness'),
  note('advice', 'may discolor urine|may color urine|contains aspirin|contains paracetamol'),
  note('advice', 'a pea size amount|a pea-size amount|pea size amount of|a small amount of'),
  note('advice', 'a thin coat|thin coat|a fingertip unit|fingertip unit|a thin even layer'),
  note('advice', 'an even layer|a thin smear|sparingly and rub in|rub in|rub in well'),
  note('advice', 'and rub in|and rub in gently|rub in gently|massage in|gently massage'),
  note('advice', 'and massage in|until absorbed|leave on overnight|leave overnight'),
  note('advice', 'and leave on|and leave on overnight|as a soap substitute|as soap substitute'),
  note('advice', 'after washing|after bathing|after shower|after showering|after a bath'),
  note('advice', 'after a shower|on dry skin|on clean skin|before makeup|avoid eyes'),
  note('advice', 'avoiding eyes|avoid eye area|avoid the eyes|dose increase|dose increased'),
  note('advice', 'dose reduced|dose change|dose changed|new dose|new medication|new medicine'),
  note('advice', 'started in hospital|repeat prescription|as before|no change|unchanged'),
  note('advice', 'continue long term|for maintenance|in divided halves'),
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

const WHY: Table = [
  mark('purpose', 'to prevent|to help prevent|to lower|to help lower|to reduce|to help reduce'),
  mark('purpose', 'to treat|to help treat|to help|to help with|to protect|to help protect'),
  mark('purpose', 'to control|to help control|to relieve|to help relieve|to thin|to manage'),
  mark('purpose', 'to improve|to prevent further|to aid|to regulate|to stop|to clear|to keep'),
  mark('purpose', 'to maintain|to ease|to boost|to strengthen|to replace|for the treatment of'),
  mark('purpose', 'for treatment of|for treating|for prevention of|for the prevention of'),
  mark('purpose', 'for preventing|for the relief of|for relief of|for control of|for your'),
  mark('purpose', 'for the|for a|for history of|for chronic|for acute|for mild'),
  mark('purpose', 'for mild to moderate|for moderate to severe|for severe|due to|because of'),
  mark('purpose', 'against|indications|indication|indicated for|dx|for diagnosis of'),
  mark('symptom', 'pain|moderate pain|severe pain|mild pain|chest pain|chest pains|back pain'),
  mark('symptom', 'joint pain|period pain|breakthrough pain|fever|headache|headaches|migraine'),
  mark('symptom', 'migraines|nausea|vomiting|insomnia|anxiety|panic|panic attack'),
  mark('symptom', 'panic attacks|agitation|restlessness|itching|itch|itchiness|cough|coughing'),
  mark('symptom', 'wheezing|wheeze|wheezy|shortness of breath|sob|breathlessness|breathless'),
  mark('symptom', 'short of breath|difficulty breathing|dyspnea|dyspnoea|chest tightness'),
  mark('symptom', 'constipation|constipated|diarrhea|diarrhoea|heartburn|indigestion|reflux'),
  mark('symptom', 'acid reflux|gas|bloating|spasm|spasms|muscle spasm|muscle spasms|cramps'),
  mark('symptom', 'cramping|abdominal cramps|abdominal pain|stomach cramps|dizziness|dizzy'),
  mark('symptom', 'vertigo|motion sickness|travel sickness|sickness|sick|seizure|allergies'),
  mark('symptom', 'allergic reaction|allergy symptoms|hay fever|hayfever|rash|hives|swelling'),
  mark('symptom', 'sore throat|congestion|nasal congestion|runny nose|stuffy nose|angina'),
  mark('symptom', 'angina attack|asthma attack|anxious|agitated|in pain|itchy|nauseous'),
  mark('symptom', 'nauseated|feverish|dry eyes|dry mouth|secretions|respiratory secretions'),
  mark('symptom', 'sleeplessness|unable to sleep|trouble sleeping|discomfort|cold sores'),
  mark('symptom', 'flare up|flare|hiccups|bladder spasms|toothache|neck pain|knee pain'),
  mark('symptom', 'leg cramps|muscle pain|nerve pain|temp|high temperature|raised temperature'),
  mark('symptom', 'temperature'),
  mark('incase', 'if|when|whenever|if you have|if you feel|if you are|if feeling'),
  mark('incase', 'when you have|when you feel|if having|when having|if there is'),
  mark('incase', 'if experiencing|when experiencing|in case of|in the event of|if in|when in'),
  mark('incase', 'if needed for|if required for|during an attack of|at onset of'),
  mark('incase', 'at the onset of|at the first sign of|on onset of'),
  mark('aspect', 'relief|control|deficiency|prevention|prophylaxis|symptoms|symptom|problems'),
  mark('aspect', 'protection|attacks|attack|management|maintenance|support|treatment|levels'),
  mark('aspect', 'level|episodes|disease|disorder|infection|failure|health|function|reduction'),
  mark('aspect', 'loss|issues|condition|medication|medicine|supplement|supplementation'),
  mark('aspect', 'replacement|therapy'),
  note('indication', 'stroke|strokes|heart attack|heart attacks|heart disease|clots|clot'),
  note('indication', 'clotting|blood clot|angina|blood|the blood|cholesterol|triglycerides'),
  note('indication', 'iron|potassium|vitamin d|vitamin b12|b12|folate|calcium|low potassium'),
  note('indication', 'low iron|low thyroid|underactive thyroid|overactive thyroid|bone|bones'),
  note('indication', 'bone loss|fractures|gout attacks|kidneys|kidney|liver|lungs|prostate'),
  note('indication', 'enlarged prostate|urine flow|water retention|ankle swelling|nerves'),
  note('indication', 'nerve|seizures|fits|epilepsy|bipolar|bipolar disorder|schizophrenia'),
  note('indication', 'psychosis|voices|dementia|alzheimers|parkinsons disease|menopause|hrt'),
  note('indication', 'hormones|pregnancy|fertility|endometriosis|heavy periods|periods|period'),
  note('indication', 'acne|rosacea|dandruff|fungal|fungal infection|ringworm|athletes foot'),
  note('indication', 'candida|worms|scabies|lice|head lice|malaria|hiv|hepatitis b'),
  note('indication', 'hepatitis c|tb|tuberculosis|chest infection|ear infection|eye infection'),
  note('indication', 'skin infection|urinary tract infection|urine infection|throat infection'),
  note('indication', 'dental infection|tooth abscess|cellulitis|h pylori|stomach protection'),
  note('indication', 'stomach ulcer|ulcers|gastritis|crohns|colitis|ulcerative colitis|ibs'),
  note('indication', 'piles|haemorrhoids|hemorrhoids|rheumatoid arthritis|osteoarthritis|ra'),
  note('indication', 'lupus|ms|multiple sclerosis|transplant|rejection|organ rejection|cancer'),
  note('indication', 'breast cancer|prostate cancer|leukaemia|leukemia|appetite|weight'),
  note('indication', 'weight gain|energy|immune system|opioid dependence|addiction|smoking'),
  note('indication', 'alcohol dependence|cravings|copd exacerbation|exacerbation|pvd|pad|chf'),
  note('indication', 'ckd|cad|ihd|af|hld|t2dm|type 1 diabetes|t1dm|dm2|niddm|esrd|hypokalemia'),
  note('indication', 'hypokalaemia|hypertriglyceridemia|hyperlipidaemia|hypercholesterolaemia'),
  note('indication', 'hypercholesterolemia|primary hypertension|essential hypertension|gord'),
  note('indication', 'ibd|oab|incontinence|dry skin|sunburn|hay fever|ocular hypertension'),
  note('indication', 'high eye pressure|intraocular pressure|blepharitis|conjunctivitis'),
  note('indication', 'cataract surgery|post op|surgery|inflammation|autoimmune disease'),
  note('indication', 'mood stabilizer|mood stabiliser|focus|concentration|attention'),
  note('indication', 'wound healing|skin|contraceptive|recurrence|relapse'),
];

const MIXING: Table = [
  mark('mixed', 'dissolved|mixed|diluted|stirred|sprinkled|crushed|dispersed'),
  mark('mixed', 'crushed and mixed|dissolve|mix|stir|mixed well|and mixed'),
  mark('vessel', 'glass of|glass|full glass of|a glass of|a full glass of|a large glass of'),
  mark('vessel', 'half a glass of|half glass of|a half glass of|half a cup of|a little|some'),
  mark('vessel', 'a small amount of|small amount of|plenty of|lots of|cup of|a cup of'),
  mark('vessel', 'a tablespoon of|a teaspoon of|tablespoon of|spoonful of|a spoonful of|oz of'),
  mark('vessel', 'oz|ounces of|ounces|ounce of|fluid ounces of|a sip of|sip of|a drink of'),
  mark('vessel', 'at least|cold|warm|lukewarm|fresh|soft|a bit of|half a glass|sufficient'),
  mark('vessel', 'cool|hot|beverage of|ml of|ml'),
  mark('liquid', 'water|juice|orange juice|apple juice|fruit juice|milk|fluid|fluids|liquid'),
  mark('liquid', 'beverage|drink|yogurt|yoghurt|applesauce|apple sauce|pudding|jam|tea'),
  mark('liquid', 'soft food|food|foods|honey|saline|beverage of choice|liquids|squash'),
  mark('liquid', 'tap water|formula|breast milk'),
];

/** The English words of what does not change when it rings: sites, routes, advice, reasons. */
export const ENGLISH_NOTES: Table = [
  ...SITES,
  ...MIXING,
  ...ROUTES,
  ...ADVICES,
  ...WHY,
  note('indication', REASONS),
  note('medicine', MEDICINES),
  note('limit', 'max daily dose|maximum daily dose|mdd'),
];
