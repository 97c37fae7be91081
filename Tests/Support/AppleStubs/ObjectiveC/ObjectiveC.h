// The part of Apple's <objc/runtime.h> and <objc/NSObject.h> that the SDK uses. Declarations only.
#pragma once
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;
typedef struct objc_selector *SEL;
typedef struct objc_class *Class;
typedef struct objc_method *Method;
typedef void (*IMP)(void);

@class NSString;
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property(readonly) NSUInteger hash;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)conformsToProtocol:(Protocol *)aProtocol;
- (BOOL)respondsToSelector:(SEL)aSelector;
- (id _Null_unspecified)performSelector:(SEL)aSelector;
@property(readonly, copy) NSString *description;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (void)initialize;
- (instancetype)init;
+ (BOOL)instancesRespondToSelector:(SEL)aSelector;
- (id)copy;
- (id)mutableCopy;
@end

Class _Nullable object_getClass(id _Nullable obj);
Class _Nullable object_setClass(id _Nullable obj, Class cls);
Class _Nullable class_getSuperclass(Class _Nullable cls);
const char *class_getName(Class _Nullable cls);
size_t class_getInstanceSize(Class _Nullable cls);
BOOL class_respondsToSelector(Class _Nullable cls, SEL sel);
IMP _Nullable class_getMethodImplementation(Class _Nullable cls, SEL name);
Method _Nullable class_getInstanceMethod(Class _Nullable cls, SEL name);
BOOL class_addMethod(Class _Nullable cls, SEL name, IMP imp, const char *_Nullable types);
Class _Nullable objc_allocateClassPair(Class _Nullable superclass, const char *name, size_t extraBytes);
void objc_registerClassPair(Class cls);
Class _Nullable objc_lookUpClass(const char *name);
IMP imp_implementationWithBlock(id block);
const char *_Nullable method_getTypeEncoding(Method m);
struct objc_method_description {
    SEL _Nullable name;
    char *_Nullable types;
};
struct objc_method_description protocol_getMethodDescription(
    Protocol *proto, SEL aSel, BOOL isRequiredMethod, BOOL isInstanceMethod);
Protocol *_Nullable objc_getProtocol(const char *name);

typedef enum __attribute__((enum_extensibility(open))) objc_AssociationPolicy : NSUInteger {
    OBJC_ASSOCIATION_ASSIGN = 0,
    OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1,
    OBJC_ASSOCIATION_RETAIN = 01401,
} objc_AssociationPolicy;
void objc_setAssociatedObject(id object, const void *key, id _Nullable value, objc_AssociationPolicy policy);
id _Nullable objc_getAssociatedObject(id object, const void *key);

#pragma clang assume_nonnull end
